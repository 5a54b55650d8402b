import { describe, expect, it } from 'vitest';
import { sizeText } from './source-topics';

describe('sizeText', () => {
  it('counts records and partitions, or only these if records are not counted', () => {
    const topic = 'users';
    expect(sizeText({ topic, partitions: 3, records: 12_345 })).toBe(
      '12,345 records in 3 partitions',
    );
    expect(sizeText({ topic, partitions: 1, records: 1 })).toBe('1 record in 1 partition');
    expect(sizeText({ topic, partitions: 2, records: null })).toBe('2 partitions');
  });
});
