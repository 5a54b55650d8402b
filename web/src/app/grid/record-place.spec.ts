import { describe, expect, it } from 'vitest';
import type { FlowInfo } from '../catalogue/flows';
import type { Cell } from '../deephaven/decode';
import { originOf, placeOf, placeText, samePlace } from './record-place';

/** Where the record of such a row stands; its generation is beside the columns. */
function place(
  { generation = null, ...row }: Record<string, Cell>,
  flow?: string,
  flows: readonly FlowInfo[] = [],
) {
  const columns = Object.keys(row).map((name) => ({ name, kind: 'text' as const }));
  return placeOf(originOf(columns, Object.values(row), generation), flow, flows);
}

function flow(...topics: string[]): FlowInfo {
  const sources = topics.map((topic) => ({ name: topic, topic }));
  return { flow: 'shop', title: 'Shop', state: 'live', generation: 3, sources, joins: false };
}

describe('placeOf', () => {
  it('is what the row says', () => {
    const found = place({ topic: 'orders', partition: 0, offset: 2n ** 63n - 1n });
    expect(found).toEqual({ topic: 'orders', partition: '0', offset: '9223372036854775807' });
    expect(placeText(found!)).toBe('offset 9223372036854775807 of partition 0 of orders');
  });

  it('is not known where a part of it is missing or no place', () => {
    expect(place({ topic: 'orders', partition: 0 })).toBeNull();
    expect(place({ topic: 'orders', partition: null, offset: 4 })).toBeNull();
    expect(place({ topic: 'orders', partition: 0, offset: -1 })).toBeNull();
    expect(place({ topic: 'orders', partition: 0, offset: 'x' })).toBeNull();
    expect(place({ partition: 0, offset: 4 })).toBeNull();
  });

  it('has the topic of the only source of its flow, as long as the row is of its generation', () => {
    const row = { partition: 0, offset: 4, generation: 3 };
    expect(place(row, 'shop', [flow('orders')])).toMatchObject({ topic: 'orders', offset: '4' });
    expect(place({ ...row, generation: 2 }, 'shop', [flow('orders')])).toBeNull();
    expect(place(row, 'shop', [flow('orders', 'people')])).toBeNull();
    expect(place(row, 'other', [flow('orders')])).toBeNull();
    // An empty cell is not a column that is missing.
    expect(place({ ...row, topic: null }, 'shop', [flow('orders')])).toBeNull();
  });
});

describe('samePlace', () => {
  it('compares what it is, not which object', () => {
    const one = { topic: 'orders', partition: '0', offset: '4' };
    expect(samePlace(one, { ...one })).toBe(true);
    expect(samePlace(one, { ...one, offset: '5' })).toBe(false);
    expect(samePlace(one, null)).toBe(false);
    expect(samePlace(null, null)).toBe(true);
  });
});
