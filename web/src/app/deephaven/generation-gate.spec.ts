import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Cell } from './decode';
import type { Snapshot } from './feed';
import { GenerationGate, HOLD_TIME } from './generation-gate';

let gate: GenerationGate;
/** What has been published, in order, as `viewport:text`. */
let published: string[];

/** A viewport of the group; `gets` is a snapshot from the server, told apart by its text. */
function viewport(name: string) {
  const publish = (snapshot: Snapshot) =>
    void published.push(`${name}:${snapshot.rows[0]?.[0] ?? 'none'}`);
  const gets = (text: string | null, generation: Cell, total = 1) => {
    const rows = text === null ? [] : [[text]];
    gate.pass(publish, { columns: [], first: 0, rows, total }, generation);
  };
  return {
    publish,
    /** Rows of a generation; the text is the generation's number and what is added. */
    gets: (generation: number, text = '') => gets(`${generation}${text}`, generation),
    getsNothing: () => gets(null, null, 0),
    retracts: () => gate.retract(publish),
    leaves: () => gate.leave(publish),
  };
}

/** What has been published since the last call. */
function news(): string[] {
  return published.splice(0);
}

let x: ReturnType<typeof viewport>;
let y: ReturnType<typeof viewport>;
let z: ReturnType<typeof viewport>;

beforeEach(() => {
  vi.useFakeTimers();
  gate = new GenerationGate();
  published = [];
  [x, y, z] = [viewport('x'), viewport('y'), viewport('z')];
  [x, y, z].forEach((each) => each.gets(1));
  news();
});

afterEach(() => {
  vi.useRealTimers();
});

describe('GenerationGate in a flip', () => {
  it('publishes all in one go when the last has come', () => {
    x.gets(2);
    y.gets(2);
    expect(news()).toEqual([]);
    z.gets(2);
    expect(news()).toEqual(['x:2', 'y:2', 'z:2']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('goes back to a lower generation in the same way', () => {
    x.gets(0);
    y.gets(0);
    expect(news()).toEqual([]);
    z.gets(0);
    expect(news()).toEqual(['x:0', 'y:0', 'z:0']);
  });

  it('keeps only the newest snapshot of a viewport that is held', () => {
    x.gets(2, 'a');
    x.gets(2, 'b');
    y.gets(2);
    z.gets(2);
    expect(news()).toEqual(['x:2b', 'y:2', 'z:2']);
  });

  it('lets the others change in the old generation meanwhile', () => {
    x.gets(2);
    y.gets(1, 'changed');
    expect(news()).toEqual(['y:1changed']);
  });

  it('goes on without those that do not come in time', () => {
    x.gets(2);
    vi.advanceTimersByTime(HOLD_TIME - 100);
    y.gets(2);
    vi.advanceTimersByTime(99);
    expect(news()).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(news()).toEqual(['x:2', 'y:2']);
    z.gets(2);
    expect(news()).toEqual(['z:2']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('holds nothing longer, however often a snapshot is replaced', () => {
    x.gets(2);
    for (let generation = 3; generation < 10; generation++) {
      vi.advanceTimersByTime(HOLD_TIME / 5);
      x.gets(generation);
    }
    expect(news()).toEqual(['x:6']);
  });

  it('delays nothing where one viewport is alone', () => {
    y.leaves();
    z.leaves();
    x.gets(2);
    expect(news()).toEqual(['x:2']);
  });

  it('lets a listener close a viewport while the rest is published', () => {
    const closer = ({ total }: Snapshot) => {
      if (total === 2) {
        gate.leave(closer);
        y.leaves();
      }
    };
    const snapshot = { columns: [], first: 0, rows: [['row']] };
    gate.pass(closer, { ...snapshot, total: 1 }, 1);
    gate.pass(closer, { ...snapshot, total: 2 }, 2);
    [x, y, z].forEach((each) => each.gets(2));
    news();
    x.gets(3);
    z.gets(3);
    expect(news()).toEqual(['x:3', 'z:3']);
  });
});

describe('GenerationGate in flip upon flip', () => {
  it('waits for the newest when a second flip overtakes the first', () => {
    x.gets(2);
    y.gets(2);
    x.gets(3);
    z.gets(3);
    expect(news()).toEqual([]);
    y.gets(3);
    expect(news()).toEqual(['x:3', 'y:3', 'z:3']);
  });

  it('ends at the newest when the time runs out between two flips', () => {
    x.gets(2);
    y.gets(3);
    vi.advanceTimersByTime(HOLD_TIME);
    expect(news()).toEqual(['x:2', 'y:3']);
    z.gets(3);
    x.gets(3);
    expect(news()).toEqual(['x:3', 'z:3']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('drops what is held when the server flips back', () => {
    x.gets(2);
    y.gets(2);
    x.gets(1, 'again');
    expect(news()).toEqual(['x:1again']);
    y.gets(1, 'again');
    expect(news()).toEqual(['y:1again']);
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(HOLD_TIME);
    expect(news()).toEqual([]);
  });

  it('goes back to those that the deadline has left behind', () => {
    x.gets(2);
    vi.advanceTimersByTime(HOLD_TIME);
    news();
    x.gets(1, 'again');
    expect(news()).toEqual(['x:1again']);
  });
});

describe('GenerationGate with windows that move', () => {
  it('never delays rows of the generation shown', () => {
    x.gets(1, 'moved');
    expect(news()).toEqual(['x:1moved']);
    y.gets(2);
    x.gets(1, 'further');
    expect(news()).toEqual(['x:1further']);
  });

  it('never delays rows of the generation shown while others lag behind it', () => {
    x.gets(2);
    vi.advanceTimersByTime(HOLD_TIME);
    news();
    x.gets(2, 'moved');
    expect(news()).toEqual(['x:2moved']);
  });

  it('holds moved rows of the held generation in place of the old ones', () => {
    x.gets(2);
    x.gets(2, 'moved');
    y.gets(2);
    z.gets(2);
    expect(news()).toEqual(['x:2moved', 'y:2', 'z:2']);
  });

  it('publishes moved rows of the shown generation, and the flip when it comes again', () => {
    x.gets(2);
    x.gets(1, 'moved');
    expect(news()).toEqual(['x:1moved']);
    x.gets(2, 'moved');
    y.gets(2);
    expect(news()).toEqual([]);
    z.gets(2);
    expect(news()).toEqual(['x:2moved', 'y:2', 'z:2']);
  });
});

describe('GenerationGate with viewports without rows', () => {
  it('publishes an empty snapshot at once when nothing is held', () => {
    x.getsNothing();
    expect(news()).toEqual(['x:none']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('holds an empty snapshot with the others of a flip', () => {
    x.gets(2);
    y.getsNothing();
    expect(news()).toEqual([]);
    z.gets(2);
    expect(news()).toEqual(['x:2', 'y:none', 'z:2']);
  });

  it('does not wait for one that shows no rows', () => {
    z.getsNothing();
    x.gets(2);
    news();
    y.gets(2);
    expect(news()).toEqual(['x:2', 'y:2']);
  });

  it('publishes rows in an empty one at once when they are of the generation of the rest', () => {
    z.getsNothing();
    news();
    z.gets(1);
    expect(news()).toEqual(['z:1']);
  });

  it('holds rows in an empty one when they are the first of a flip', () => {
    z.getsNothing();
    news();
    z.gets(2);
    x.gets(2);
    expect(news()).toEqual([]);
    y.gets(2);
    expect(news()).toEqual(['x:2', 'y:2', 'z:2']);
  });

  it('keeps waiting for the rest when a held snapshot turns empty', () => {
    x.gets(2);
    x.getsNothing();
    expect(news()).toEqual([]);
    y.gets(2);
    z.gets(2);
    expect(news()).toEqual(['x:none', 'y:2', 'z:2']);
  });

  it('shows the empty snapshot in time when no flip follows', () => {
    x.gets(2);
    x.getsNothing();
    vi.advanceTimersByTime(HOLD_TIME);
    expect(news()).toEqual(['x:none']);
  });
});

describe('GenerationGate with viewports whose newer rows are on their way', () => {
  it('drops what is held and waits for the newer', () => {
    x.gets(2);
    y.gets(2);
    x.retracts();
    z.gets(2);
    expect(news()).toEqual([]);
    x.gets(2, 'newer');
    expect(news()).toEqual(['x:2newer', 'y:2', 'z:2']);
  });

  it('waits no longer than the hold time', () => {
    y.gets(2);
    z.gets(2);
    x.retracts();
    vi.advanceTimersByTime(HOLD_TIME);
    expect(news()).toEqual(['y:2', 'z:2']);
    x.gets(2);
    expect(news()).toEqual(['x:2']);
  });

  it('leaves no timer behind when nothing else is held', () => {
    x.gets(2);
    x.retracts();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('GenerationGate with viewports that come and go', () => {
  it('never holds a first snapshot, and waits for one that is of the old generation', () => {
    const late = viewport('late');
    x.gets(2);
    late.gets(1);
    expect(news()).toEqual(['late:1']);
    y.gets(2);
    z.gets(2);
    expect(news()).toEqual([]);
    late.gets(2);
    expect(news()).toEqual(['x:2', 'y:2', 'z:2', 'late:2']);
  });

  it('does not wait for one that came after the flip', () => {
    x.gets(2);
    viewport('late').gets(2);
    expect(news()).toEqual(['late:2']);
    y.gets(2);
    z.gets(2);
    expect(news()).toEqual(['x:2', 'y:2', 'z:2']);
  });

  it('goes on at once when the one waited for leaves', () => {
    x.gets(2);
    y.gets(2);
    z.leaves();
    expect(news()).toEqual(['x:2', 'y:2']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('drops what a leaving one holds, timer included', () => {
    x.gets(2);
    x.leaves();
    expect(vi.getTimerCount()).toBe(0);
    expect(news()).toEqual([]);
  });

  it('takes the next snapshot of one that has left as its first', () => {
    z.leaves();
    z.gets(2);
    expect(news()).toEqual(['z:2']);
  });

  it('leaves all as they are when the session is lost', () => {
    x.gets(2);
    y.gets(2);
    gate.clear();
    expect(news()).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('GenerationGate with sizes', () => {
  it('puts a new total into the held snapshot only', () => {
    const totals: number[] = [];
    const publish = ({ total }: Snapshot) => void totals.push(total);
    const snapshot = { columns: [], first: 0, rows: [['row']], total: 10 };
    gate.pass(publish, snapshot, 1);
    expect(gate.resize(publish, 11)).toBe(false);
    gate.pass(publish, { ...snapshot, total: 20 }, 2);
    expect(gate.resize(publish, 21)).toBe(true);
    expect(totals).toEqual([10]);
    vi.advanceTimersByTime(HOLD_TIME);
    expect(totals).toEqual([10, 21]);
  });
});
