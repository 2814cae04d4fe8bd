import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, meaningOfList } from '../../../../contract/connections.ts';
import type { ListState } from '../../../store/signatures/tracking/list-entries.ts';
import type { TrackedRow } from '../../../store/signatures/tracking/tracked-row.ts';
import type { Context } from '../../context.ts';
import { appError, failureOf } from '../../foundation/app-error.ts';
import { retryRead } from '../../foundation/backoff.ts';
import type { SharedCopy, SharedReading } from '../../team/shared-lists.ts';
import { type ChangeNotices, publishSignatures } from './change-notices.ts';
import type { ReadingSchedule } from './reading-schedule.ts';
import { type EntrySink, refreshList } from './refresh-list.ts';
import { isNewCopy, leaseOf, newestCopy, takeCopy, teamSink } from './team-lists.ts';

/** Attempts if a person waits. Automatic readings have one attempt. */
const triesForPerson = 2;
/** Entries considered for notifications: so many are announced as one in any case. */
const announcedAtOnce = 1_000;

interface ReaderNeeds {
  readonly context: Context;
  readonly notices: Pick<ChangeNotices, 'changed'>;
  /** Nothing is read before this promise has settled. */
  readonly finishing: Promise<void>;
  readonly signal: AbortSignal;
  readonly onRead: ReadingSchedule['read'];
  readonly publish: (connectionId: string) => void;
  readonly onStored: (connectionId: string) => Promise<void>;
}

interface ListRequest {
  readonly connectionId: string;
  readonly listType: number;
  readonly by: 'person' | 'program';
  readonly maxItems?: number;
}

const keyOf = ({ connectionId, listType }: Pick<ListRequest, 'connectionId' | 'listType'>) =>
  `${listType} ${connectionId}`;

/** What was read, from wherever. */
type Taken = Awaited<ReturnType<typeof refreshList>>;

/** Reads lists, from the service or as a colleague's program has read them; a list that is being read is not read a second time. */
export function createListReadings(needs: ReaderNeeds) {
  const { context, publish } = needs;
  const running = new Map<string, Promise<ListState>>();
  /** Those of them that store a copy of the team. */
  const copying = new Map<string, Promise<ListState>>();
  const alone = (request: ListRequest, work: () => Promise<ListState>): Promise<ListState> => {
    const key = keyOf(request);
    const known = running.get(key);
    if (known) return known;
    const reading = work().finally(() => {
      running.delete(key);
      copying.delete(key);
      publish(request.connectionId);
    });
    running.set(key, reading);
    publish(request.connectionId);
    return reading;
  };
  return {
    read: async (request: ListRequest): Promise<ListState> => {
      // A copy that is stored just now may be an old one: it is no answer to somebody who asks.
      await copying.get(keyOf(request))?.catch(() => undefined);
      return await alone(request, () =>
        request.maxItems === undefined ? readInTeam(needs, request) : fromService(needs, request),
      );
    },
    readHere: (connectionId: string, listType: number): Promise<ListState> =>
      fromService(needs, { connectionId, listType, by: 'person' }),
    readAsSent: (connectionId: string, listType: number, sink: EntrySink, maxItems?: number) => {
      const most = maxItems === undefined ? {} : { maxItems };
      return fromService(needs, { connectionId, listType, by: 'person', ...most }, sink);
    },
    /** Stores the team's copies that are new here. */
    follow: (connectionId: string, copies: readonly SharedCopy[]): void => {
      for (const copy of copies.filter((one) => isNewCopy(context, connectionId, one))) {
        const request = { connectionId, listType: copy.listType, by: 'program' } as const;
        if (running.has(keyOf(request))) continue;
        const storing = alone(request, () => fromTeam(needs, request, copy));
        copying.set(keyOf(request), storing);
        // One that was not stored is found again at the next look.
        storing.catch(() => undefined);
      }
    },
    isReading: (key: string) => running.has(key),
    idle: () => Promise.allSettled([...running.values()]),
  };
}

const fromService = (needs: ReaderNeeds, request: ListRequest, asSent?: EntrySink, reading?: SharedReading) =>
  readOnce(needs, request, (connection) => readService(needs, connection, request, asSent, reading));

const fromTeam = (needs: ReaderNeeds, request: ListRequest, copy: SharedCopy) =>
  readOnce(needs, request, () => takeCopy(needs.context, request.connectionId, copy));

/** Takes a list from where it is read, and tells what is new in it, or why it was not read. */
async function readOnce(
  needs: ReaderNeeds,
  request: ListRequest,
  take: (connection: Connection) => Promise<Taken>,
): Promise<ListState> {
  const { context, finishing, onRead } = needs;
  const { connectionId, listType } = request;
  const since = new Date().toISOString();
  try {
    await finishing;
    const connection = await context.connections.get(connectionId);
    const { state, applied } = await take(connection);
    await context.store.requests.compute({ connectionId, ...connection });
    // The list was read, whatever becomes of that.
    await needs.onStored(connectionId).catch((error: unknown) => {
      const code = failureOf(error)?.code;
      context.ports.log.error('a list that was read was not compared with what is in doubt', { connectionId, code });
    });
    onRead(connectionId, listType, { changes: applied.fresh + applied.moved + applied.gone, failure: null });
    announce(needs, connection, request, { since, count: applied.fresh + applied.moved });
    return state;
  } catch (error) {
    const failure = failureOf(error) ?? appError('bug', 'a list could not be read').failure;
    onRead(connectionId, listType, { changes: 0, failure });
    throw error;
  }
}

/** Reads as one of the team: from the service with the lease, else what the colleague who has it has read. */
async function readInTeam(needs: ReaderNeeds, request: ListRequest): Promise<ListState> {
  const { context, signal } = needs;
  const { connectionId, listType, by } = request;
  const until = performance.now() + context.pauses.listLeaseMs;
  for (;;) {
    const lease = await leaseOf(context, connectionId, listType);
    if (lease === null) return await fromService(needs, request);
    if (typeof lease !== 'string') return await readWithLease(needs, request, lease);
    const copy = await newestCopy(context, connectionId, listType);
    if (copy) return await fromTeam(needs, request, copy);
    if (lease === 'fresh' || by === 'program') return storedState(context, request);
    if (performance.now() > until) return await fromService(needs, request);
    await sleep(context.pauses.colleagueLookMs, undefined, { signal }).catch(() => {
      throw appError('cancelled', 'cancelled while a colleague reads the list');
    });
  }
}

async function readWithLease(needs: ReaderNeeds, request: ListRequest, lease: SharedReading): Promise<ListState> {
  const { budget, team } = needs.context;
  try {
    // What a person asks for is not counted. The schedule has counted the call in the program's own budget.
    const isFree = request.by === 'person' || (await team.countCall(request.connectionId, budget.state().perHour));
    return isFree ? await fromService(needs, request, undefined, lease) : storedState(needs.context, request);
  } finally {
    await lease.end();
  }
}

const storedState = ({ store }: Context, { connectionId, listType }: ListRequest): ListState =>
  store.tracked.listState(connectionId, listType) ?? { total: 0, nilEntries: 0, asOf: '' };

/** Reads a list from the service, for the team if `reading` has its lease. */
async function readService(
  { context, signal }: ReaderNeeds,
  connection: Connection,
  { connectionId, listType, by, maxItems = connection.maxItems }: ListRequest,
  asSent?: EntrySink,
  reading?: SharedReading,
): Promise<Taken> {
  const team = reading && teamSink(context, connectionId, reading);
  const read = () => refreshList(context, { connectionId, listType, maxItems }, { asSent, team, signal });
  const taken = await retryRead(read, { tries: by === 'person' ? triesForPerson : 1, signal });
  team?.stored();
  return taken;
}

/** Tells what a reading has found, and notifies the person of what nobody asked for. */
function announce(
  { context, notices }: ReaderNeeds,
  connection: Connection,
  { connectionId, listType, by }: ListRequest,
  { since, count }: { readonly since: string; readonly count: number },
): void {
  const { tracked } = context.store;
  const marked = tracked.marked(connectionId, listType, announcedAtOnce);
  const found = marked.filter(({ first_seen_at }) => first_seen_at >= since);
  // A signature is news, also of a request that was sent from here.
  if (meaningOfList(connection.lists, listType) === 'signed') publishSignatures(context, connectionId, found, count);
  else tracked.unmarkOwn(connectionId, listType);
  if (by === 'program') {
    const rows = marked.filter(isWorthTelling(context, since)).filter(isForMe(context));
    notices.changed(rows, connection.lists);
  }
}

/** True for entries that this reading found, except requests sent from this computer: these are no news. */
function isWorthTelling({ store }: Context, since: string): (row: TrackedRow) => boolean {
  return (row) => {
    if (row.first_seen_at < since) return false;
    if (row.mark === 'moved') return true;
    const documentId = row.orig_document_id ?? row.document_id;
    return documentId === null || store.documents.byDocumentId(row.connection_id, documentId) === null;
  };
}

/** In a team, only the person to whom a request is assigned is notified. As long as that is not known, or without a team, everybody is. */
function isForMe({ team }: Context): (row: TrackedRow) => boolean {
  return ({ connection_id, orig_document_id, document_id }) => {
    const mine = team.assignedToMe(connection_id);
    return mine === null || mine.has(orig_document_id || (document_id ?? ''));
  };
}
