import { describe, expect, it } from 'vitest';
import { readGrid, writeGrid } from './grid-link';

describe('the link of a grid', () => {
  it('is read as it was written, whatever the names are', () => {
    for (const form of [null, 'latest', 'a_b.c ~%', '5-min']) {
      const link = { form, look: { sort: [{ column: 'x_y', direction: 'desc' as const }] } };
      expect(readGrid(writeGrid(link) ?? undefined)).toEqual(link);
    }
  });

  it('says nothing of a grid that nobody has touched', () => {
    expect(writeGrid({ form: null, look: {} })).toBeNull();
    expect(readGrid()).toEqual({ form: null, look: {} });
  });

  it('keeps the form of a grid without a look', () => {
    const text = writeGrid({ form: 'events', look: {} }) ?? undefined;
    expect(readGrid(text)).toEqual({ form: 'events', look: {} });
  });

  it('leaves out what it does not understand', () => {
    expect(readGrid('%%%_zzz')).toEqual({ form: null, look: {} });
  });
});
