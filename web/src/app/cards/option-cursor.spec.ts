import { describe, expect, it } from 'vitest';
import { moveOption } from './option-cursor';

describe('moveOption', () => {
  it('goes down and up, and round at the ends', () => {
    expect(moveOption(-1, 'ArrowDown', 3)).toBe(0);
    expect(moveOption(2, 'ArrowDown', 3)).toBe(0);
    expect(moveOption(0, 'ArrowUp', 3)).toBe(2);
    expect(moveOption(-1, 'ArrowUp', 3)).toBe(2);
  });

  it('has nowhere to go in an empty list, and leaves other keys alone', () => {
    expect(moveOption(-1, 'ArrowDown', 0)).toBe(-1);
    expect(moveOption(1, 'Enter', 3)).toBeNull();
  });
});
