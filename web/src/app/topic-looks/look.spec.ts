import { describe, expect, it } from 'vitest';
import { readLook, type Look } from './look';
import { lookRow, recordRow } from './testing/looks';

/** Reads a row of `topic_looks`. */
function read(row: Record<string, string>): Look {
  return readLook({
    cells: () => row,
    text: (column) => row[column] ?? '',
    number: () => null,
    time: () => null,
  });
}

describe('readLook', () => {
  it('reads records, what was seen and the declaration', () => {
    const look = read(lookRow('a'));
    expect(look.records[0]).toEqual({
      partition: 1,
      offset: 7,
      at: 5,
      key: 'o1',
      value: '{}',
      bytes: 2,
      cut: false,
      headers: [{ name: 'trace', value: 'x' }],
    });
    expect(look.records[1]).toMatchObject({ key: null, value: null, headers: [] });
    expect(look.notes).toEqual(['key orderId: sure']);
    expect(look.seen.get('amount')).toBe('in all 20');
  });

  it('reads one record with all its headers in their order', () => {
    const headers = [
      ['trace', 'x'],
      ['9', 'y'],
      ['trace', null],
    ];
    const look = read(recordRow('a', { headers, cut: true }));
    expect(look).toMatchObject({ problem: '', declaration: null });
    expect(look.records).toHaveLength(1);
    expect(look.records[0]).toMatchObject({
      cut: true,
      headers: [
        { name: 'trace', value: 'x' },
        { name: '9', value: 'y' },
        { name: 'trace', value: null },
      ],
    });
  });
});
