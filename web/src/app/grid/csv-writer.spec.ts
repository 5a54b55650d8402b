import { describe, expect, it } from 'vitest';
import { csvWriter } from './csv-writer';

describe('csvWriter', () => {
  it('writes names and rows, and nothing for what is not there', () => {
    const writer = csvWriter([
      { name: 'id', kind: 'integer', format: 'compact' },
      { name: 'name', kind: 'text', format: 'text' },
      { name: 'ts', kind: 'time', format: 'time' },
    ]);
    writer.add([[9007199254740993n, 'a,b', 0]]);
    writer.add([]);
    writer.add([[1_234_567, null, null]]);
    expect(writer.finish().join('')).toBe(
      'id,name,ts\r\n9007199254740993,"a,b",1970-01-01T00:00:00.000Z\r\n1234567,,\r\n',
    );
  });
});
