import type { RecordReader } from '../live-rows/read-records';
import { readCards, type Card } from './cards';

/** The page of a flow. */
export interface FlowPage {
  readonly flow: string;
  readonly title: string;
  /** What it would like its address to be. */
  readonly path: string;
  /** The column with one choice for the whole page; empty for none. */
  readonly filter: string;
  readonly cards: readonly Card[];
}

/** Reads a row of `pages`. */
export function readPage(row: RecordReader): FlowPage {
  const flow = row.text('flow');
  const page = JSON.parse(row.text('page') || '{}') as Partial<Record<string, unknown>>;
  return {
    flow,
    title: row.text('title') || flow,
    path: String(page['path'] ?? flow),
    filter: String(page['filter'] ?? ''),
    cards: readCards(page['cards']),
  };
}

/** The address of a page: the one it would like, or the name of its flow if another has that. */
export function addressOf(page: FlowPage, pages: readonly FlowPage[]): string {
  const others = pages.filter(({ flow }) => flow !== page.flow);
  const taken = others.some(({ flow, path }) => path === page.path || flow === page.path);
  return taken ? page.flow : page.path;
}

/** The page at an address, which may also be the name of its flow. */
export function pageAt(pages: readonly FlowPage[], address: string): FlowPage | undefined {
  return (
    pages.find((page) => addressOf(page, pages) === address) ??
    pages.find(({ flow }) => flow === address)
  );
}
