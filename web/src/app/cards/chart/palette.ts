/** The colours and the font of the theme in use, as a canvas understands them. */
export interface Palette {
  readonly text: string;
  readonly muted: string;
  readonly line: string;
  readonly surface: string;
  readonly up: string;
  readonly down: string;
  readonly accent: string;
  readonly font: string;
  /** For things that no way belongs to. */
  readonly series: readonly string[];
}

const TOKENS = {
  text: '--text',
  muted: '--text-2',
  line: '--line',
  surface: '--surface-2',
  up: '--up',
  down: '--down',
  accent: '--accent',
} as const;

const SERIES = ['--accent', '--series-2', '--series-3', '--series-4', '--series-5', '--series-6'];

/** Reads the theme at an element. */
export function readPalette(element: HTMLElement): Palette {
  // A custom property reads as it was written; only the colour of an element is worked out.
  const probe = document.createElement('span');
  probe.hidden = true;
  element.append(probe);
  const colourOf = (token: string) => {
    probe.style.color = `var(${token})`;
    return getComputedStyle(probe).color;
  };
  const colours = Object.entries(TOKENS).map(([name, token]) => [name, colourOf(token)]);
  const series = SERIES.map(colourOf);
  const font = getComputedStyle(probe).fontFamily;
  probe.remove();
  return { ...(Object.fromEntries(colours) as Omit<Palette, 'font' | 'series'>), font, series };
}
