import { describe, expect, it } from 'vitest';
import { Frames } from './frames';

describe('Frames', () => {
  it('renders once for all tasks of a frame and reports the painting in the next', () => {
    const log: string[] = [];
    let next: (() => void) | null = null;
    let now = 0;
    const frames = new Frames(
      (callback) => (next = callback),
      () => log.push('render'),
      () => now,
    );
    const task = (name: string) => ({
      prepare: () => log.push(`prepare ${name}`),
      settle: () => log.push(`settle ${name}`),
      painted: (at: number) => log.push(`painted ${name} ${at}`),
    });
    const run = () => {
      const callback = next;
      next = null;
      now += 16;
      callback?.();
    };
    const a = task('a');
    const b = task('b');
    frames.request(a);
    frames.request(a);
    frames.request(b);
    run();
    run();
    expect(log).toEqual([
      'prepare a',
      'prepare b',
      'render',
      'settle a',
      'settle b',
      'painted a 32',
      'painted b 32',
    ]);
    expect(next).toBeNull();
    frames.request(a);
    frames.cancel(a);
    run();
    expect(log).toHaveLength(7);
  });
});
