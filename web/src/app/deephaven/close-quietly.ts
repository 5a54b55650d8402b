import type { RemoteTable } from './remote';

/** Closes a handle whose connection may be gone already. */
export function closeQuietly(table: RemoteTable): void {
  try {
    table.close();
  } catch {
    // The connection took the handle with it.
  }
}
