/** A page as it looked, by the name that the viewer gave it. */
export interface SavedView {
  readonly name: string;
  /** Its address in the page, with all that it says of the look. */
  readonly url: string;
}

/** The most views that are kept; the oldest go first. */
export const MOST_VIEWS = 50;
const KEY = 'tidegrid.views';
const LONGEST_NAME = 60;

/** The views that this browser has, the newest first; whatever else is kept there is left out. */
export function readViews(storage: Pick<Storage, 'getItem'>): readonly SavedView[] {
  try {
    const kept: unknown = JSON.parse(storage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isView).slice(0, MOST_VIEWS) : [];
  } catch {
    return [];
  }
}

/** Keeps views in this browser. */
export function keepViews(storage: Pick<Storage, 'setItem'>, views: readonly SavedView[]): void {
  storage.setItem(KEY, JSON.stringify(views));
}

/** Views with one more; one of the same name takes its place. */
export function withView(
  views: readonly SavedView[],
  name: string,
  url: string,
): readonly SavedView[] {
  const called = name.trim().slice(0, LONGEST_NAME);
  const others = withoutView(views, called);
  return called === '' ? views : [{ name: called, url }, ...others].slice(0, MOST_VIEWS);
}

/** Views without the one of that name. */
export function withoutView(views: readonly SavedView[], name: string): readonly SavedView[] {
  return views.filter((view) => view.name !== name);
}

/** Only addresses in this page: a view can lead nowhere else. */
function isView(value: unknown): value is SavedView {
  const { name, url } = (value ?? {}) as Partial<Record<string, unknown>>;
  return typeof name === 'string' && typeof url === 'string' && /^\/(?!\/)/.test(url);
}
