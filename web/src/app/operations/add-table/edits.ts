import { isTable, tableAt, textsAt, type Json, type Table } from '../../topic-looks/json';

/** The types that a field may have, with what each means. */
export const TYPES = [
  { name: 'string', label: 'text' },
  { name: 'scalar', label: 'text or number, as text' },
  { name: 'long', label: 'whole number' },
  { name: 'double', label: 'number' },
  { name: 'boolean', label: 'true or false' },
  { name: 'time', label: 'time' },
  { name: 'json', label: 'anything, as JSON' },
] as const;

/** The types that can be read from a text that holds them. */
const LENIENT: readonly string[] = ['long', 'double', 'boolean'];

/** A table that the flow makes, as the viewer wants it. */
export interface ViewEdit {
  readonly on: boolean;
  readonly name: string;
}

/** What a viewer changed in an inferred declaration; null and what is missing is as it was. */
export interface Edits {
  readonly name: string | null;
  readonly title: string | null;
  /** Fields that are left out. */
  readonly without: ReadonlySet<string>;
  /** Types by field. */
  readonly types: ReadonlyMap<string, string>;
  readonly key: readonly string[] | null;
  /** The field with the time; empty for Kafka's timestamp. */
  readonly time: string | null;
  /** Views by the names they were given. */
  readonly views: ReadonlyMap<string, ViewEdit>;
}

/** Before anything is changed. */
export const NO_EDITS: Edits = {
  name: null,
  title: null,
  without: new Set(),
  types: new Map(),
  key: null,
  time: null,
  views: new Map(),
};

/** The name of the one source that an inferred declaration has. */
export function sourceOf(declaration: Table): string {
  return Object.keys(tableAt(declaration, 'sources'))[0] ?? '';
}

/** The type of a field as it is declared: a text, or an object with one. */
export function typeOf(field: Json | undefined): string {
  return isTable(field) ? String(field['type'] ?? 'string') : String(field ?? 'string');
}

/** The declaration with the viewer's changes. */
export function edited(declaration: Table, edits: Edits): Table {
  const source = sourceOf(declaration);
  const styles = entries(tableAt(declaration, 'columns'))
    .filter(([name]) => !edits.without.has(name))
    .map(([name, style]) => [name, edits.types.has(name) ? withoutFormat(style) : style] as const)
    .filter(([, style]) => !isTable(style) || Object.keys(style).length > 0);
  const rest = entries(declaration).filter(([name]) => name !== 'columns');
  const changed: Record<string, Json> = {
    name: edits.name ?? declaration['name'] ?? '',
    title: edits.title ?? declaration['title'] ?? '',
    sources: { [source]: editedSource(tableAt(tableAt(declaration, 'sources'), source), edits) },
    views: editedViews(tableAt(declaration, 'views'), edits),
    ...(styles.length > 0 ? { columns: Object.fromEntries(styles) } : {}),
  };
  return { ...Object.fromEntries(rest), ...changed };
}

/** The names of the tables that a declaration makes. */
export function tablesOf(declaration: Table): string[] {
  return Object.keys(tableAt(declaration, 'views'));
}

function editedSource(source: Table, edits: Edits): Table {
  const key = edits.key ?? textsAt(source, 'key');
  const time = edits.time === null ? textsAt(source, 'time') : [edits.time].filter(Boolean);
  const fields = entries(tableAt(source, 'fields'))
    .filter(([name]) => !edits.without.has(name))
    .map(([name, field]) => [name, withType(field, edits.types.get(name))] as const);
  const changed: Record<string, Json> = { key, time, fields: Object.fromEntries(fields) };
  return Object.fromEntries(
    entries({ ...source, time, ...changed }).filter(
      ([name]) =>
        (name !== 'time' || time.length > 0) &&
        // It names the row by its key, so it goes with another key.
        (name !== 'kafka_key' || sameNames(key, textsAt(source, 'key'))),
    ),
  );
}

/** A field with another type; a number is then also taken from a text, since it may be in one. */
function withType(field: Json, type: string | undefined): Json {
  if (type === undefined || type === typeOf(field)) {
    return field;
  }
  const rest = isTable(field) ? entries(field).filter(([name]) => name !== 'lenient') : [];
  const lenient: Table = LENIENT.includes(type) ? { lenient: true } : {};
  const whole: Table = { ...Object.fromEntries(rest), type, ...lenient };
  return Object.keys(whole).length === 1 ? type : whole;
}

function editedViews(views: Table, edits: Edits): Table {
  const kept = entries(views).filter(([name]) => edits.views.get(name)?.on ?? true);
  return Object.fromEntries(
    kept.map(([name, view]) => [edits.views.get(name)?.name ?? name, view]),
  );
}

function withoutFormat(style: Json): Json {
  return isTable(style)
    ? Object.fromEntries(entries(style).filter(([name]) => name !== 'format'))
    : style;
}

function sameNames(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, index) => name === b[index]);
}

function entries(table: Table): [string, Json][] {
  return Object.entries(table);
}
