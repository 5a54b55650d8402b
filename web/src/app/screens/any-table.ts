import type { TableSpec } from '../live-table/table-spec';
import { GOLD_TABLES } from './gold-tables';
import { TABLES } from './tables';

/** The columns that identify a row of the tables about Tidegrid itself. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  orchestrator_status: ['flow'],
  generations: ['flow', 'generation', 'state', 'control'],
  control_raw: ['offset'],
  preview: ['flow', 'generation', 'view'],
  progress: ['flow', 'generation'],
  topics: ['topic'],
  swap_requests: ['id'],
  swap_answers: ['id'],
};

/**
 * Any table by its name, with all its columns. One of ours keeps its key and its flow; of any other
 * table nothing is known, and a column `generation` is like the rest.
 */
export function anyTable(table: string): TableSpec {
  const specs: Record<string, TableSpec> = { ...TABLES, ...GOLD_TABLES };
  const known = specs[table];
  return { table, key: known?.key ?? KEYS[table] ?? [], together: known?.together };
}
