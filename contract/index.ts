import { answerEvents, answers } from './answers.ts';
import { app, appEvents, removals, updateEvents, updates } from './app.ts';
import { bulk, bulkEvents } from './bulk.ts';
import type { InputOf, OutputOf, ParsedOf, ValueOf } from './call.ts';
import { compose, signatures } from './compose.ts';
import { connectionEvents, connections } from './connections.ts';
import { diagnostics, storage } from './diagnostics.ts';
import { documentEvents, documents } from './documents.ts';
import type { Envelope } from './failure.ts';
import { fileEvents, files, preview } from './files.ts';
import { corrections, formEvents, forms } from './forms.ts';
import { find, home } from './home.ts';
import { jobEvents, jobs } from './jobs.ts';
import { people, peopleEvents } from './people.ts';
import { receipts } from './receipts.ts';
import { notes, practice, service } from './service.ts';
import { shared, sharedEvents } from './shared.ts';
import { taskEvents, tasks } from './tasks.ts';
import { team, teamEvents } from './team.ts';
import { tracking, trackingEvents } from './tracking.ts';
import { auditEvents, audits, verify, verifyEvents } from './verify.ts';
import { views } from './views.ts';

/** All calls between a window (or another host) and the core, as one value. All types are derived from it. */
export const calls = {
  ...app,
  ...storage,
  ...diagnostics,
  ...connections,
  ...files,
  ...jobs,
  ...corrections,
  ...documents,
  ...receipts,
  ...views,
  ...verify,
  ...audits,
  ...preview,
  ...tasks,
  ...signatures,
  ...compose,
  ...forms,
  ...people,
  ...removals,
  ...find,
  ...home,
  ...bulk,
  ...tracking,
  ...answers,
  ...notes,
  ...service,
  ...practice,
  ...team,
  ...shared,
  ...updates,
};
export const events = {
  ...appEvents,
  ...connectionEvents,
  ...fileEvents,
  ...jobEvents,
  ...documentEvents,
  ...verifyEvents,
  ...auditEvents,
  ...taskEvents,
  ...formEvents,
  ...peopleEvents,
  ...bulkEvents,
  ...trackingEvents,
  ...answerEvents,
  ...teamEvents,
  ...sharedEvents,
  ...updateEvents,
};

export type Calls = typeof calls;
export type Events = typeof events;
export type CallName = keyof Calls;
export type EventName = keyof Events;

export type CallInput<N extends CallName> = InputOf<Calls[N]>;
export type CallParsed<N extends CallName> = ParsedOf<Calls[N]>;
export type CallOutput<N extends CallName> = OutputOf<Calls[N]>;
export type EventValue<N extends EventName> = ValueOf<Events[N]>;

/** One function per call. A missing one does not compile. For an answer of null nothing need be returned. */
export type Handlers = {
  [N in CallName]: (
    input: CallParsed<N>,
  ) => Promise<CallOutput<N>> | (CallOutput<N> extends null ? Promise<void> : never);
};
export type HandlersOf<Subject extends string> = Pick<Handlers, Extract<CallName, `${Subject}.${string}`>>;

/** The typed client of a bridge. It never rejects. */
export type Ask = <N extends CallName>(name: N, input: CallInput<N>) => Promise<Envelope<CallOutput<N>>>;

/** The untyped bridge. `take` turns a dropped file into a token (see preload and preview). */
export interface Bridge {
  call(name: string, input: unknown): Promise<Envelope<unknown>>;
  /** Returns the function that ends the subscription. */
  onEvent(listener: (name: string, value: unknown) => void): () => void;
}
