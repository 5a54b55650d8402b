/** The part of a storage that is used. */
export type Kept = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Reads a list of texts that was kept, or null if there is none that can be read. */
export function readKeptList(storage: Kept, name: string): readonly string[] | null {
  try {
    const list: unknown = JSON.parse(storage.getItem(name) ?? 'null');
    return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : null;
  } catch {
    return null;
  }
}

/** Keeps a list of texts. */
export function keepList(storage: Kept, name: string, list: readonly string[]): void {
  storage.setItem(name, JSON.stringify(list));
}
