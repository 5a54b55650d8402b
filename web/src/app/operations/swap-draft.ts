import type { RowValues } from '../deephaven/add-row';
import type { FlowInfo } from '../catalogue/flows';
import type { LiveFlow } from './live-flows';
import type { LiveRows } from '../live-rows/live-rows';
import type { SourceTopic } from './source-topics';

/** A way to join the sources of a flow. */
export interface Join {
  readonly name: string;
  readonly label: string;
}

/** The joins that a flow can be swapped to, if it joins anything. */
export const JOINS: readonly Join[] = [
  { name: 'left', label: 'Left: also those without a match' },
  { name: 'inner', label: 'Inner: only those with a match' },
];

/** The field of a source in the form; no field of the form itself begins like that. */
export function fieldOf(source: string): string {
  return `topic ${source}`;
}

/** What stands in the swap form: a topic in the field of each source, `join`, `start` and `time`. */
export type Draft = Readonly<Record<string, string>>;

/** What is wrong with a field of the form, in words; `form` is about the whole. */
export type Problems = Readonly<Record<string, string>>;

/** What the form is checked against. */
export interface Known {
  /** What is live; null if that is not known, or about to change. */
  readonly live: LiveFlow | null;
  /** Where the live generation began to read; null if that is not known. */
  readonly starting: string | null;
}

/** The form as it is before the viewer changes anything: what is live, from the earliest record. */
export function draftOf(spec: FlowInfo, live: LiveFlow | null): Draft {
  const topics = spec.sources.map(({ name }) => [fieldOf(name), liveTopic(live, name)]);
  return {
    ...Object.fromEntries(topics),
    join: live?.join || (spec.joins ? 'left' : ''),
    start: 'earliest',
    time: '',
  };
}

/** What keeps the form from being sent. The server checks again, and knows better. */
export function problemsOf(draft: Draft, spec: FlowInfo, known: Known): Problems {
  const problems: Record<string, string> = {};
  const topics = spec.sources.map(({ name }) => topicOf(draft, name));
  spec.sources.forEach(({ name }, index) => {
    const topic = topics[index] as string;
    if (topic === '') {
      problems[fieldOf(name)] = 'Choose a topic.';
    } else if (topics.indexOf(topic) < index) {
      problems[fieldOf(name)] = 'Each source needs a topic of its own.';
    }
  });
  if (startingOf(draft) === null) {
    problems['time'] = 'Choose a date and a time.';
  }
  if (Object.keys(problems).length === 0 && changesNothing(draft, spec, known)) {
    problems['form'] = 'Nothing is changed: this is live already.';
  }
  return problems;
}

/**
 * What looks wrong but may be sent: topics that are not in the list, which is some seconds old.
 * Nothing looks wrong as long as the list is not there, or not whole.
 */
export function warningsOf(draft: Draft, spec: FlowInfo, topics: LiveRows<SourceTopic>): Problems {
  if (!topics.known || topics.rows.length < topics.total) {
    return {};
  }
  const existing = new Set(topics.rows.map(({ topic }) => topic));
  const unknown = spec.sources
    .map(({ name }) => [name, topicOf(draft, name)] as const)
    .filter(([, topic]) => topic !== '' && !existing.has(topic));
  return Object.fromEntries(
    unknown.map(([name, topic]) => [fieldOf(name), `Topic ${topic} is not in the broker’s list.`]),
  );
}

/** The control message that the form asks for, as a row of `swap_requests` takes it. */
export function messageOf(draft: Draft, spec: FlowInfo): RowValues {
  const topics = spec.sources.map(({ name }) => [name, topicOf(draft, name)]);
  const message = {
    flow: spec.flow,
    topics: Object.fromEntries(topics),
    ...(spec.joins ? { joinType: draft['join'] ?? '' } : {}),
    startingOffsets: startingOf(draft),
  };
  return { message: JSON.stringify(message) };
}

/** The edits that were made after a draft was sent. */
export function editsSince(edits: Draft, sent: Draft): Draft {
  return Object.fromEntries(Object.entries(edits).filter(([name, text]) => sent[name] !== text));
}

function liveTopic(live: LiveFlow | null, source: string): string {
  return live?.sources.find(({ name }) => name === source)?.topic ?? '';
}

function topicOf(draft: Draft, source: string): string {
  return (draft[fieldOf(source)] ?? '').trim();
}

/** Where to begin: `earliest`, `latest` or an ISO time with zone Z; null for a time that is none. */
function startingOf(draft: Draft): string | null {
  if (draft['start'] !== 'time') {
    return draft['start'] ?? null;
  }
  // Without a zone it is read in the viewer's, which is the one they typed it in.
  const time = new Date(draft['time'] ?? '');
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

function changesNothing(draft: Draft, spec: FlowInfo, { live, starting }: Known): boolean {
  return (
    live !== null &&
    startingOf(draft) === starting &&
    spec.sources.every(({ name }) => liveTopic(live, name) === topicOf(draft, name)) &&
    (!spec.joins || live.join === draft['join'])
  );
}
