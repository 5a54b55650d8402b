import { describe, expect, it } from 'vitest';
import { NO_EDITS, type Edits } from './edits';
import { formOf, type FlowForm } from './flow-form';
import { readLook, type Look, type Problem } from '../../topic-looks/look';
import { lookRow } from '../../topic-looks/testing/looks';

const row = lookRow('a');
const LOOK: Look = readLook({
  cells: () => row,
  text: (column) => row[column] ?? '',
  number: () => null,
  time: () => null,
});

function form(edits: Partial<Edits> = {}, problems: readonly Problem[] = []): FlowForm {
  return formOf(LOOK, { ...NO_EDITS, ...edits }, problems)!;
}

describe('formOf', () => {
  it('shows every field with its type, where it is and what was seen', () => {
    expect(form().fields.map(({ name, type }) => `${name} ${type}`)).toEqual([
      'orderId string',
      'amount double',
      'zip string',
      'at time',
    ]);
    expect(form().fields[1]).toMatchObject({ from: 'payload.amount', seen: 'in all 20' });
    expect(
      form()
        .fields.filter(({ isKey }) => isKey)
        .map(({ name }) => name),
    ).toEqual(['orderId']);
    expect(form()).toMatchObject({ name: 'shop_orders', time: 'at', key: ['orderId'] });
    expect(form().views.map(({ says }) => says)).toEqual([
      'the newest record of each key',
      'the last records, as they came',
    ]);
  });

  it('keeps a field in the form that is left out', () => {
    const { fields } = form({ without: new Set(['zip']) });
    expect(fields.map(({ used }) => used)).toEqual([true, true, false, true]);
  });

  it('puts each problem beside what it is about, and the others below', () => {
    const shown = form(
      { views: new Map([['shop_orders_latest', { on: true, name: 'rejects' }]]) },
      [
        { place: '', text: 'no name' },
        { place: 'name', text: 'is there' },
        { place: 'sources.shop_orders.key', text: 'no such field' },
        { place: 'sources.shop_orders.kafka_key', text: 'does not hold it' },
        { place: 'sources.shop_orders.time', text: 'no time' },
        { place: 'sources.shop_orders.fields.zip.lenient', text: 'has none' },
        { place: 'views.rejects', text: 'is taken' },
        { place: 'columns.x', text: 'no table has it' },
      ],
    );
    expect(shown.nameProblems).toEqual(['no name', 'is there']);
    expect(shown.keyProblems).toEqual(['no such field', 'does not hold it']);
    expect(shown.timeProblems).toEqual(['no time']);
    expect(shown.fields[2]!.problems).toEqual(['has none']);
    expect(shown.views[0]!.problems).toEqual(['is taken']);
    expect(shown.problems).toEqual(['columns.x: no table has it']);
  });

  it('is none where no flow could be made', () => {
    expect(formOf({ ...LOOK, declaration: null }, NO_EDITS, [])).toBeNull();
  });
});
