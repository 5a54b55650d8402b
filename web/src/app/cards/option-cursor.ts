/** The option that a key goes to, in a list of so many; null if the key does not move. */
export function moveOption(active: number, key: string, count: number): number | null {
  switch (key) {
    case 'ArrowDown':
      return count === 0 ? -1 : (active + 1) % count;
    case 'ArrowUp':
      return count === 0 ? -1 : (Math.max(active, 0) - 1 + count) % count;
    default:
      return null;
  }
}
