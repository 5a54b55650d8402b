import { beforeEach, describe, expect, it, vi } from 'vitest';
import { LiveChart } from './live-chart';
import { PALETTE } from './testing/palette';

const chart = { setOption: vi.fn(), resize: vi.fn(), dispose: vi.fn() };
const init = vi.fn(() => chart);
const palette = vi.fn(() => PALETTE);
const drew = vi.fn();
const drawing = (points: number) => ({ option: () => ({ animation: false }), points, text: '' });

let live: LiveChart;

beforeEach(() => {
  vi.clearAllMocks();
  init.mockReturnValue(chart);
  palette.mockReturnValue(PALETTE);
  live = new LiveChart({ init, palette, drew });
});

describe('LiveChart', () => {
  it('is made once, when there is room, and then drawn in place', () => {
    live.show(drawing(3));
    live.draw();
    expect(init).not.toHaveBeenCalled();
    live.resize(300);
    live.draw();
    live.show(drawing(4));
    live.draw();
    expect(init).toHaveBeenCalledTimes(1);
    expect(chart.setOption).toHaveBeenCalledTimes(2);
    expect(drew.mock.calls).toEqual([
      [3, 1],
      [4, 2],
    ]);
  });

  it('reads the colours again only when they change', () => {
    live.show(drawing(1));
    live.resize(300);
    live.draw();
    live.draw();
    expect(palette).toHaveBeenCalledTimes(1);
    live.retheme();
    live.draw();
    expect(palette).toHaveBeenCalledTimes(2);
  });

  it('follows its size, and rests while it has none', () => {
    live.show(drawing(1));
    live.resize(300);
    live.draw();
    live.resize(300);
    expect(chart.resize).toHaveBeenCalledTimes(1);
    live.resize(0);
    live.draw();
    expect(chart.setOption).toHaveBeenCalledTimes(1);
  });

  it('draws nothing after it was let go', () => {
    live.show(drawing(1));
    live.resize(300);
    live.draw();
    live.dispose();
    live.draw();
    expect(chart.dispose).toHaveBeenCalledTimes(1);
    expect(chart.setOption).toHaveBeenCalledTimes(1);
  });
});
