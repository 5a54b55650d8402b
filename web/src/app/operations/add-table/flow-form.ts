import { edited, sourceOf, typeOf, type Edits } from './edits';
import { isTable, tableAt, textsAt, type Json, type Table } from '../../topic-looks/json';
import type { Look, Problem } from '../../topic-looks/look';

/** A field in the form. */
export interface FormField {
  readonly name: string;
  /** Where it is in the record, if it is called something else there. */
  readonly from: string;
  readonly type: string;
  /** What was seen of it. */
  readonly seen: string;
  readonly used: boolean;
  readonly isKey: boolean;
  readonly isTime: boolean;
  readonly problems: readonly string[];
}

/** A table that the flow makes. */
export interface FormView {
  /** The name it was given at first, by which it is known in the form. */
  readonly id: string;
  readonly name: string;
  readonly on: boolean;
  /** What it shows, in a few words. */
  readonly says: string;
  readonly problems: readonly string[];
}

/** The declaration as a form, with what is wrong beside what it is about. */
export interface FlowForm {
  readonly name: string;
  readonly nameProblems: readonly string[];
  readonly title: string;
  readonly fields: readonly FormField[];
  readonly key: readonly string[];
  readonly keyProblems: readonly string[];
  readonly time: string;
  readonly timeProblems: readonly string[];
  readonly views: readonly FormView[];
  /** What is wrong and about none of the above, each with its place. */
  readonly problems: readonly string[];
}

const SAYS: Readonly<Record<string, string>> = {
  latest: 'the newest record of each key',
  events: 'the last records, as they came',
};

/** Lays a declaration out as a form; null if there is none. */
export function formOf(look: Look, edits: Edits, problems: readonly Problem[]): FlowForm | null {
  const { declaration } = look;
  if (!declaration) {
    return null;
  }
  const now = edited(declaration, edits);
  const name = sourceOf(declaration);
  const source = tableAt(tableAt(now, 'sources'), name);
  const [key, time] = [textsAt(source, 'key'), textsAt(source, 'time')[0] ?? ''];
  const left = new Set(problems);
  const at = (...places: string[]) => take(left, places);
  const fields = tableAt(tableAt(tableAt(declaration, 'sources'), name), 'fields');
  const used = tableAt(source, 'fields');
  return {
    name: String(now['name']),
    nameProblems: at('', 'name'),
    title: String(now['title']),
    fields: Object.entries(fields).map(([field, held]) => ({
      name: field,
      from: fromOf(held),
      type: edits.types.get(field) ?? typeOf(held),
      seen: look.seen.get(field) ?? '',
      used: Object.hasOwn(used, field),
      isKey: key.includes(field),
      isTime: time === field,
      problems: at(`sources.${name}.fields.${field}`),
    })),
    key,
    keyProblems: at(`sources.${name}.key`, `sources.${name}.kafka_key`),
    time,
    timeProblems: at(`sources.${name}.time`),
    views: viewsOf(declaration, edits, at),
    problems: [...left].map(({ place, text }) => (place ? `${place}: ${text}` : text)),
  };
}

function viewsOf(
  declaration: Table,
  edits: Edits,
  at: (...places: string[]) => string[],
): FormView[] {
  return Object.entries(tableAt(declaration, 'views')).map(([id, view]) => {
    const edit = edits.views.get(id);
    const name = edit?.name ?? id;
    const kind = isTable(view) ? Object.keys(view).find((word) => word in SAYS) : undefined;
    return {
      id,
      name,
      on: edit?.on ?? true,
      says: SAYS[kind ?? ''] ?? '',
      problems: at(`views.${name}`),
    };
  });
}

function fromOf(field: Json): string {
  const from = isTable(field) ? field['from'] : undefined;
  return Array.isArray(from) ? from.join(' › ') : String(from ?? '');
}

/** Takes the texts of the problems that are at some places, or inside of them. */
function take(left: Set<Problem>, places: readonly string[]): string[] {
  const found = [...left].filter(({ place }) =>
    places.some((at) => place === at || (at !== '' && place.startsWith(`${at}.`))),
  );
  found.forEach((problem) => left.delete(problem));
  return found.map(({ text }) => text);
}
