import type { Table } from '../json';

/** A declaration as the server infers it. */
export const ORDERS: Table = {
  name: 'shop_orders',
  title: 'Shop orders',
  sources: {
    shop_orders: {
      topic: 'shop.orders',
      key: ['orderId'],
      kafka_key: 'orderId',
      time: ['at'],
      fields: {
        orderId: 'string',
        amount: { type: 'double', from: 'payload.amount' },
        zip: 'string',
        at: 'time',
      },
    },
  },
  views: {
    shop_orders_latest: { latest: 'shop_orders', title: 'Latest' },
    shop_orders_events: { events: 'shop_orders', title: 'Events' },
  },
  columns: { amount: { format: 'money' }, zip: { label: 'Postcode' }, at: { format: 'time' } },
};

/** The columns of `topic_requests`; all are texts. */
export const REQUEST_COLUMNS = ['id', 'topic', 'declaration', 'look', 'partition', 'offset'];

/** A row of `topic_looks`. */
export function lookRow(id: string, more: Record<string, string> = {}): Record<string, string> {
  return {
    id,
    topic: 'shop.orders',
    problem: '',
    records: JSON.stringify([
      { partition: 1, offset: 7, at: 5, key: 'o1', value: '{}', bytes: 2, headers: { trace: 'x' } },
      { partition: 0, offset: 3, at: 4, key: null, value: null, bytes: 0, headers: {} },
    ]),
    declaration: JSON.stringify(ORDERS),
    text: 'title = "Shop orders"\n',
    notes: JSON.stringify(['key orderId: sure']),
    seen: JSON.stringify({ amount: 'in all 20' }),
    problems: '[]',
    at: '2026-11-18T12:00:00+00:00',
    ...more,
  };
}

/** A row of `topic_looks` that answers with one record. */
export function recordRow(id: string, more: Table = {}): Record<string, string> {
  const record = {
    ...{ partition: 0, offset: 12, at: 5_000, key: 'o1', value: '{"id":1}', bytes: 8, cut: false },
    headers: [['trace', 'x']],
    ...more,
  };
  const made = { records: JSON.stringify([record]), topic: 'users', declaration: '', text: '' };
  return lookRow(id, { ...made, notes: '', seen: '', problems: '' });
}
