import { describe, expect, it } from 'vitest';
import { edited, NO_EDITS, tablesOf, type Edits } from './edits';
import { tableAt, type Table } from '../../topic-looks/json';
import { ORDERS } from '../../topic-looks/testing/looks';

const made = (change: Partial<Edits>): Table => edited(ORDERS, { ...NO_EDITS, ...change });
const source = (declaration: Table): Table =>
  tableAt(tableAt(declaration, 'sources'), 'shop_orders');

describe('edited', () => {
  it('leaves a declaration as it was where nothing is changed', () => {
    expect(made({})).toEqual(ORDERS);
    expect(JSON.stringify(made({}))).toBe(JSON.stringify(ORDERS));
  });

  it('leaves a field out, with how its column is written', () => {
    const without = made({ without: new Set(['amount']) });
    expect(Object.keys(tableAt(source(without), 'fields'))).toEqual(['orderId', 'zip', 'at']);
    expect(Object.keys(tableAt(without, 'columns'))).toEqual(['zip', 'at']);
  });

  it('reads a field as another type, a number also from a text', () => {
    const types = new Map([
      ['amount', 'scalar'],
      ['zip', 'long'],
    ]);
    const changed = made({ types });
    expect(tableAt(source(changed), 'fields')).toEqual({
      orderId: 'string',
      amount: { type: 'scalar', from: 'payload.amount' },
      zip: { type: 'long', lenient: true },
      at: 'time',
    });
    // Money is no way to write a text.
    expect(tableAt(changed, 'columns')).toEqual({
      zip: { label: 'Postcode' },
      at: { format: 'time' },
    });
  });

  it('goes back to the inferred type as it was inferred', () => {
    expect(made({ types: new Map([['zip', 'string']]) })['sources']).toEqual(ORDERS['sources']);
  });

  it('lets the Kafka key go with the key that it names', () => {
    expect(source(made({ key: ['orderId'] }))['kafka_key']).toBe('orderId');
    expect(source(made({ key: ['zip'] }))).toMatchObject({ key: ['zip'] });
    expect(source(made({ key: ['zip'] }))).not.toHaveProperty('kafka_key');
  });

  it('takes another time, or Kafka’s', () => {
    expect(source(made({ time: 'zip' }))['time']).toEqual(['zip']);
    expect(source(made({ time: '' }))).not.toHaveProperty('time');
  });

  it('makes the tables that are wanted, under the names that are wanted', () => {
    const views = new Map([
      ['shop_orders_latest', { on: true, name: 'orders' }],
      ['shop_orders_events', { on: false, name: 'shop_orders_events' }],
    ]);
    const changed = made({ views, name: 'orders', title: 'Orders' });
    expect(tablesOf(changed)).toEqual(['orders']);
    expect(changed).toMatchObject({ name: 'orders', title: 'Orders' });
  });

  it('takes a field of any name for data', () => {
    const odd = JSON.parse(
      '{"name":"a","sources":{"a":{"key":["__proto__"],"fields":{"__proto__":"string"}}},"views":{}}',
    ) as Table;
    const changed = edited(odd, { ...NO_EDITS, types: new Map([['__proto__', 'long']]) });
    expect(JSON.stringify(changed)).toContain('"__proto__":{"type":"long","lenient":true}');
  });
});
