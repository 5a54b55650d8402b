/** What JSON can say. */
export type Json = string | number | boolean | null | readonly Json[] | Table;

/** An object of JSON. */
export interface Table {
  readonly [name: string]: Json;
}

/** Whether a value is an object of JSON. */
export function isTable(value: Json | undefined): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The table of that name in a table; an empty one if there is none. */
export function tableAt(table: Table, name: string): Table {
  const held = Object.hasOwn(table, name) ? table[name] : undefined;
  return isTable(held) ? held : {};
}

/** The texts of a list of that name; a single text is a list of one. */
export function textsAt(table: Table, name: string): readonly string[] {
  const held = table[name];
  const listed = Array.isArray(held) ? (held as readonly Json[]) : [held ?? null];
  return listed.filter((text): text is string => typeof text === 'string');
}
