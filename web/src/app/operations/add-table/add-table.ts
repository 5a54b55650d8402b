import { ask, type AskHub } from '../../topic-looks/ask';
import type { Table } from '../../topic-looks/json';
import type { Look, Problem } from '../../topic-looks/look';
import type { Stage } from '../request-stage';
import { edited, NO_EDITS, type Edits } from './edits';

/** How long the viewer's typing must rest before the server is asked what it thinks of it. */
export const CHECK_AFTER = 300;

/** A declaration in the hands of the viewer. */
export interface Draft {
  readonly look: Look;
  readonly edits: Edits;
  /** The flow file of the last declaration that was checked, and what is wrong with that. */
  readonly text: string;
  readonly problems: readonly Problem[];
  /** Whether the declaration has changed since. */
  readonly checking: boolean;
  /** Why it could not be checked; null if it could. */
  readonly unchecked: string | null;
}

/** Where the viewer is on the way to a new table. */
export type AddTableState =
  | { readonly step: 'choose'; readonly problem: string | null }
  | { readonly step: 'looking'; readonly topic: string }
  | { readonly step: 'form'; readonly draft: Draft }
  | { readonly step: 'sent'; readonly draft: Draft; readonly declaration: Table };

/** What is shown: a request that was sent is followed until it is live or refused. */
export type Phase = 'choose' | 'looking' | 'form' | 'starting' | 'live' | 'refused';

/** The phase of a state; `stage` is how far the request of its flow has come. */
export function phaseOf(state: AddTableState, stage: Stage): Phase {
  if (state.step !== 'sent') {
    return state.step;
  }
  if (stage.state === 'live') {
    return 'live';
  }
  return stage.state === 'refused' || stage.state === 'failed' ? 'refused' : 'starting';
}

/**
 * The way from a topic to a live table: choose, look, change what was inferred, start.
 *
 * The server reads the topic, infers the declaration, checks every change and writes the flow file;
 * nothing of that is done here. Only the newest answer counts.
 */
export class AddTable {
  private current: AddTableState = { step: 'choose', problem: null };
  private stopWaiting: () => void = () => undefined;
  private pause: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly hub: AskHub,
    private readonly apply: (flow: string, declaration: Table) => void,
    private readonly changed: (state: AddTableState) => void,
  ) {}

  /** Where it stands. */
  get state(): AddTableState {
    return this.current;
  }

  /** Has a topic looked at. */
  choose(topic: string): void {
    this.stop();
    this.tell({ step: 'looking', topic });
    this.stopWaiting = ask(
      this.hub,
      { topic },
      (look) => this.tell({ step: 'form', draft: draftOf(look) }),
      (problem) => this.tell({ step: 'choose', problem }),
    );
  }

  /** Takes a change of the form, and has it checked when no other follows at once. */
  edit(change: Partial<Edits>): void {
    if (this.current.step !== 'form') {
      return;
    }
    this.stop();
    const { draft } = this.current;
    this.update({ ...draft, edits: { ...draft.edits, ...change }, checking: true });
    this.pause = setTimeout(() => this.check(), CHECK_AFTER);
  }

  /** Asks for the flow; what is wrong with it as far as is known must be put right before. */
  start(): void {
    if (this.current.step !== 'form') {
      return;
    }
    const { draft } = this.current;
    const { declaration } = draft.look;
    if (!declaration || (draft.problems.length > 0 && !draft.checking)) {
      return;
    }
    this.stop();
    const asked = edited(declaration, draft.edits);
    this.tell({ step: 'sent', draft: { ...draft, checking: false }, declaration: asked });
    this.apply(String(asked['name']), asked);
  }

  /** Goes back to the form from a request that was refused, else to the topics. */
  back(): void {
    this.stop();
    if (this.current.step === 'sent') {
      this.tell({ step: 'form', draft: this.current.draft });
    } else {
      this.reset();
    }
  }

  /** Begins again with the list of topics. */
  reset(): void {
    this.stop();
    this.tell({ step: 'choose', problem: null });
  }

  /** Waits for nothing any more. */
  stop(): void {
    clearTimeout(this.pause);
    this.stopWaiting();
  }

  private check(): void {
    if (this.current.step !== 'form' || !this.current.draft.look.declaration) {
      return;
    }
    const { look, edits } = this.current.draft;
    const declaration = JSON.stringify(edited(this.current.draft.look.declaration, edits));
    this.stopWaiting = ask(
      this.hub,
      { declaration, look: look.id },
      ({ text, problems, problem }) =>
        this.checked(problem ? { unchecked: problem } : { text, problems, unchecked: null }),
      (problem) => this.checked({ unchecked: problem }),
    );
  }

  private checked(change: Partial<Draft>): void {
    if (this.current.step === 'form') {
      this.update({ ...this.current.draft, ...change, checking: false });
    }
  }

  private update(draft: Draft): void {
    this.tell({ step: 'form', draft });
  }

  private tell(state: AddTableState): void {
    this.current = state;
    this.changed(state);
  }
}

function draftOf(look: Look): Draft {
  return {
    look,
    edits: NO_EDITS,
    text: look.text,
    problems: look.problems,
    checking: false,
    unchecked: null,
  };
}
