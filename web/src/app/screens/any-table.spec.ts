import { describe, expect, it } from 'vitest';
import { anyTable } from './any-table';
import { GOLD_TABLES } from './gold-tables';

describe('anyTable', () => {
  it('knows key and flow of our views', () => {
    expect(anyTable('final_ui')).toEqual({
      table: 'final_ui',
      key: ['userId', 'accountType'],
      together: 'customers',
    });
    expect(anyTable('gold_trend')).toMatchObject({
      key: ['sourceSystem', 'bucket'],
      together: 'positions',
    });
  });

  it('lets rejects wait for no flow, since they are of all', () => {
    expect(anyTable('rejects').together).toBeUndefined();
  });

  it('shows a table of which nothing is known', () => {
    expect(anyTable('something')).toEqual({ table: 'something', key: [], together: undefined });
  });
});

describe('GOLD_TABLES', () => {
  it('are named as the server names them, and swap as one', () => {
    for (const [name, spec] of Object.entries(GOLD_TABLES)) {
      expect([spec.table, spec.together]).toEqual([name, 'positions']);
    }
  });
});
