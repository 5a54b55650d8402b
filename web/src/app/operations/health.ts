import { total, type Figure } from '../freshness/figures';

/** How far one partition of a source has been read. */
export interface PartitionHealth {
  readonly topic: string;
  readonly partition: number;
  readonly events: number;
  /** Records not read yet; null as long as nobody knows. */
  readonly lag: number | null;
}

/** Records that were rejected for the same kind of reason. */
export interface Rejected {
  readonly topic: string;
  readonly reason: string;
  readonly count: number;
}

/** How long a generation took to take over, in seconds. */
export interface SwapTimes {
  readonly generation: number;
  readonly catchUp: number;
  readonly flip: number;
}

/** The figures of one generation; null for what no part has reported. */
export interface GenerationHealth {
  readonly key: string;
  readonly flow: string;
  readonly generation: number;
  readonly state: string;
  readonly events: number;
  readonly perSecond: number | null;
  readonly lag: number | null;
  readonly rejects: number;
  readonly rowsWritten: number | null;
  readonly restarts: number | null;
  /** The last swap of the flow, if this is its live generation. */
  readonly swap: SwapTimes | null;
  /** Those that are furthest behind first. */
  readonly partitions: readonly PartitionHealth[];
  /** The most frequent first. */
  readonly reasons: readonly Rejected[];
}

/** The generations that run, by flow, the newest of each first. */
export function generationsHealth(figures: readonly Figure[]): GenerationHealth[] {
  const groups = new Map<string, Figure[]>();
  for (const figure of figures.filter(({ measure }) => COUNTED.has(measure))) {
    const key = `${figure.flow}/${figure.generation}`;
    groups.set(key, [...(groups.get(key) ?? []), figure]);
  }
  return [...groups]
    .map(([key, group]) => generationHealth(key, group, figures))
    .sort((a, b) => a.flow.localeCompare(b.flow) || b.generation - a.generation);
}

/** What only a generation that runs has. */
const COUNTED: ReadonlySet<string> = new Set([
  'events',
  'lag',
  'rejects',
  'rows_written',
  'restarts',
  'generation_state',
  'events_per_second',
]);

function generationHealth(
  key: string,
  group: readonly Figure[],
  all: readonly Figure[],
): GenerationHealth {
  const { flow, generation } = group[0] as Figure;
  const of = (measure: string) => group.filter((one) => one.measure === measure);
  const state = of('generation_state')[0]?.label ?? '';
  return {
    key,
    flow,
    generation,
    state,
    events: total(of('events')) ?? 0,
    perSecond: total(of('events_per_second')),
    lag: total(of('lag')),
    rejects: total(of('rejects')) ?? 0,
    rowsWritten: total(of('rows_written')),
    restarts: total(of('restarts')),
    swap: state === 'live' ? swapOf(all, flow) : null,
    partitions: partitionsOf(of('events'), of('lag')),
    reasons: of('rejects')
      .map(({ topic, label, value }) => ({ topic, reason: label, count: value }))
      .sort((a, b) => b.count - a.count || a.reason.localeCompare(b.reason)),
  };
}

function partitionsOf(events: readonly Figure[], lags: readonly Figure[]): PartitionHealth[] {
  const place = ({ topic, partition }: Figure) => `${topic}/${partition}`;
  const lag = new Map(lags.map((one) => [place(one), one.value]));
  return events
    .map((one) => ({
      topic: one.topic,
      partition: one.partition ?? 0,
      events: one.value,
      lag: lag.get(place(one)) ?? null,
    }))
    .sort(
      (a, b) =>
        (b.lag ?? 0) - (a.lag ?? 0) || a.topic.localeCompare(b.topic) || a.partition - b.partition,
    );
}

function swapOf(all: readonly Figure[], flow: string): SwapTimes | null {
  const step = (label: string) =>
    all.find(
      (one) => one.measure === 'last_swap_seconds' && one.flow === flow && one.label === label,
    );
  const catchUp = step('catch-up');
  const flip = step('flip');
  return catchUp && flip
    ? { generation: flip.generation, catchUp: catchUp.value, flip: flip.value }
    : null;
}
