import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { sharedKey } from '../../../contract/shared.ts';
import { documentIdText } from '../../../contract/text.ts';
import { countWithin, type DocumentCopy, type NewDocument } from '../../store/documents/documents.ts';
import type { Store } from '../../store/store.ts';
import type { TeamItemChange } from '../../store/team/team-items.ts';
import type { TeamDatabase } from './database.ts';
import {
  assertSchema,
  type Change,
  closedError,
  closeRegister,
  type FeedPlace,
  type Joined,
  lastMark,
  type Place,
  placeValues,
  type RegisterState,
  readState,
  stateColumns,
  stateOf,
} from './feed.ts';
import { followClaims } from './others-claims.ts';
import { largestItemBytes } from './rights.ts';
import { mostItems } from './shared-items.ts';
import { readCopies, type SharedCopy } from './shared-lists.ts';
import { shownBy } from './shown-text.ts';
import { readAssigned } from './team-notes.ts';

/** Changes in one answer: the database reads no more than these, however many a member put at one position, or however far the next one is. */
const pageChanges = 500;

/** Documents, and their characters, that are written in one turn, and one commit: usual ones take some 10 ms, the longest ones some 100. */
const documentsAtOnce = 60;
const charsAtOnce = 400_000;

/** Of colleagues in one look: several of them are sending. */
const manyDocuments = 8;

interface Needs {
  readonly connectionId: string;
  readonly member: Joined['member'] & { readonly person: string };
  readonly place: FeedPlace;
  readonly store: Pick<Store, 'documents' | 'jobs' | 'teamItems' | 'teamClaims'>;
  /** The longest that the answer to a look may take. */
  readonly answerMs: number;
  /** False once the connection has left, or joined another team, while an answer was on its way. */
  readonly isCurrent: () => boolean;
  readonly onDocuments: () => void;
  /** Called when jobs that a colleague's claim held go on, or its state changed. */
  readonly onClaims: () => void;
  readonly onShared: () => void;
  /** Called each time, because a copy that could not be stored is offered again. */
  readonly onCopies: (copies: readonly SharedCopy[]) => void;
  readonly onRequests: (assignedToMe: ReadonlySet<string>) => void;
  /** Called each time, with the automatic calls of the team in this hour. */
  readonly onCalls: (used: number) => void;
}

export type Follower = ReturnType<typeof createFollower>;

/** Of a change of another kind than a document all that says of one is null. */
interface Row extends Omit<Required<NewDocument>, 'connectionId' | 'jobId' | 'sizeBytes'> {
  readonly sizeBytes: string | null;
  /** Null where nothing is new. */
  readonly position: string | null;
  readonly kind: 'document' | 'item' | 'request' | 'list';
  readonly program_id: string | null;
}

interface PageState extends RegisterState {
  /** The last change of a full page, after which the next one begins; null where it brought all. */
  readonly last: Change | null;
}

/** Everything that a program knows of its team comes through here, in the order in which it was committed. */
export function createFollower(needs: Needs) {
  const { connectionId, member, place, store } = needs;
  let copies: readonly SharedCopy[] = [];
  let isFirst = true;
  /** What this program knew is not there, or a lead let the team go on without it: it tells everything again, and reads everything again. */
  const beginAnew = (epoch: number) => {
    place.forget(epoch);
    store.teamClaims.reportAgain(connectionId);
  };
  const judge = async (database: TeamDatabase, state: RegisterState): Promise<'open' | 'closed' | 'anew'> => {
    const { epoch } = place.now();
    if (!state.is_known) {
      // First for everybody: what this program knows is all that shows it. Who cannot, such as a reader, finds it so until somebody has.
      if (!state.is_restored)
        await closeRegister(database, member.teamId, needs.answerMs).catch(() => {
          throw closedError();
        });
      beginAnew(state.epoch);
      return 'closed';
    }
    // What is asked of a closed register is for everybody, also before the first look at it was stored.
    const isAnew = epoch !== state.epoch && (epoch !== 0 || state.is_restored);
    if (isAnew) beginAnew(state.epoch);
    return state.is_restored ? 'closed' : isAnew ? 'anew' : 'open';
  };
  /** False once the connection has left. Throws where the register is not open. */
  const mayFollow = async (database: TeamDatabase, state: RegisterState): Promise<boolean> => {
    // Where a lead let the team go on, what was forgotten by the restore is told on a new connection, before anything is claimed.
    if ((await judge(database, state)) !== 'open') throw closedError();
    if (!needs.isCurrent()) return false;
    needs.onCalls(state.calls);
    // Asked for by themselves, and not as changes: one may have ended before the job that it holds was recorded as held.
    if (await followClaims(database.query, member.teamId, connectionId, store.jobs)) needs.onClaims();
    return needs.isCurrent();
  };
  /** Answers how many. `copy`: where there are many. `onStored` is called in the commit of the last ones, or when the copy has these, with what comes next at the latest. */
  const storeDocuments = async (
    rows: readonly Row[],
    copy: DocumentCopy | null,
    isMore: boolean,
    onStored: () => void,
  ): Promise<number> => {
    const { programId } = member;
    const documents = rows.flatMap((row) =>
      row.kind === 'document' && row.program_id !== programId ? documentOf(connectionId, row) : [],
    );
    if (copy) await copy.put(documents, !isMore, () => [needs.onDocuments(), onStored()]);
    else
      for (let rest = documents; ; await nextTurn()) {
        const some = rest.slice(0, Math.min(documentsAtOnce, countWithin(rest, charsAtOnce)));
        rest = rest.slice(some.length);
        store.documents.putAll(some, rest.length === 0 ? onStored : undefined);
        if (rest.length === 0 || !needs.isCurrent()) break;
      }
    if (!copy && documents.length > 0) needs.onDocuments();
    return documents.length;
  };
  /** Takes over one page, but for its documents. */
  const take = async (database: TeamDatabase, rows: readonly Row[]) => {
    const has = (of: Row['kind']) => rows.some(({ kind }) => kind === of);
    if (has('item')) {
      store.teamItems.apply(connectionId, rows.filter(({ kind }) => kind === 'item').flatMap(itemOf), mostItems);
      needs.onShared();
    }
    if (isFirst || has('list')) copies = await readCopies({ database, member });
    if (isFirst || has('request')) needs.onRequests(new Set(await readAssigned({ database, member }, member.person)));
    isFirst = false;
    needs.onCopies(copies);
  };
  /** A page of many may take long; meanwhile the server is asked again and again whether it is there, and still the same. */
  const answered = async <T>(database: TeamDatabase, page: Promise<T>): Promise<T> => {
    page.catch(() => undefined);
    while (!(await Promise.race([page.then(() => true), sleep(needs.answerMs, false, { ref: false })])))
      await mayFollow(database, await readState(database.query, member.teamId, place.now(), needs.answerMs));
    return await page;
  };
  return {
    /** Looks whether the register is the one that this program knows; if it is not, it is told everything again. True if it is open. */
    look: async (database: TeamDatabase): Promise<boolean> => {
      await assertSchema(database.query);
      return (await judge(database, await readState(database.query, member.teamId, place.now()))) !== 'closed';
    },
    /**
     * Brings here what changed, page by page, as long as `onMore` wants the next one. Throws where the team may not go on: the schema is another one, or the register
     * was restored, which this closes for everybody. `isTold`: the server has just said that something is new. Answers whether so much came that the next look may wait:
     * not where a job here waits for what becomes of a colleague's claim.
     */
    follow: async (database: TeamDatabase, onMore: () => boolean, isTold = false): Promise<boolean> => {
      if (!isTold) {
        // First by an answer of one row, which comes soon: a page of many may take long, and a server that hangs is not there.
        const found = await readState(database.query, member.teamId, place.now(), needs.answerMs);
        if (!(await mayFollow(database, found))) return false;
        if (!isFirst && place.now().followed >= Number(found.next_position) - 1) {
          needs.onCopies(copies);
          return false;
        }
      }
      let copy: DocumentCopy | null = null;
      let next = readPage(database, member.teamId, place.now());
      try {
        for (;;) {
          const { state, rows } = await answered(database, next);
          if (!(await mayFollow(database, state))) return false;
          const { epoch, last, head: known } = state;
          const { position: followed, mark } = last ?? { position: Number(state.next_position) - 1, mark: lastMark };
          const now = { epoch, followed, mark, known };
          const isMore = last !== null && onMore();
          if (isMore) {
            copy ??= store.documents.startCopy();
            // Read while this page is written; if that fails, nobody waits for it.
            next = readPage(database, member.teamId, now);
            next.catch(() => undefined);
          }
          await take(database, rows);
          if (!needs.isCurrent()) return false;
          // Also where nothing has changed yet: without an epoch it would not notice that the first change was lost.
          const came = await storeDocuments(rows, copy, isMore, () => needs.isCurrent() && place.put(now));
          if (!isMore) return came >= manyDocuments && store.jobs.heldForClaims(connectionId).length === 0;
        }
      } finally {
        await copy?.end();
      }
    },
  };
}

/** The state of the register, which comes with the first row alone, and the changes after those that were followed, except of claims. */
async function readPage({ query }: TeamDatabase, teamId: string, at: Place) {
  const rows = await query<Row & { readonly state: PageState | null }>(
    `WITH team AS (
       SELECT ${stateColumns(2)} FROM sealdesk.teams AS t JOIN sealdesk.feeds AS f ON f.team_id = t.team_id WHERE t.team_id = $1::uuid
     ), listed AS MATERIALIZED (
       SELECT position, mark, kind, item FROM sealdesk.changes
       WHERE team_id = $1::uuid AND (position, mark) > ($5::bigint, $6::uuid) AND position < (SELECT next_position FROM team) ORDER BY position, mark LIMIT ${pageChanges}
     ), page AS MATERIALIZED (
       SELECT position, kind, item, split_part(item, ' ', 1) AS item_kind, substr(item, strpos(item, ' ') + 1) AS item_key,
         row_number() OVER (ORDER BY position, mark) AS number FROM listed WHERE kind <> 'claim'
     ), state AS (
       SELECT row_to_json(s) AS state FROM (SELECT team.*, (SELECT json_build_object('position', position, 'mark', mark)
         FROM listed ORDER BY position, mark OFFSET ${pageChanges - 1}) AS last FROM team) AS s
     ) SELECT CASE WHEN page.number > 1 THEN NULL ELSE state END AS state, page.position, page.kind, ${feedColumns}
       FROM state LEFT JOIN page ON true ${feedJoins} ORDER BY page.number`,
    [teamId, ...placeValues(at), at.followed, at.mark],
    { name: 'page' },
  );
  return {
    state: stateOf(rows.flatMap(({ state }) => state ?? [])),
    rows: rows.filter(({ position }) => position !== null),
  };
}

/** In one line: characters that control a terminal, which a colleague's program would not write (another program may), are a space. */
const line = (text: string) => text.replaceAll(/\p{Cc}+/gu, ' ');

const itemRow = z.lazy(() =>
  z.object({
    itemKind: z.string().max(20),
    itemKey: sharedKey,
    value: z.string().max(largestItemBytes).nullable(),
    by: z.object({ person: z.string(), computer: z.string() }),
    changedAt: z.string(),
  }),
);

/** What changed, beside the change itself: the columns of its kind, cut to what is shown. */
const feedColumns = `d.document_id AS "documentId", left(d.name, 1000) AS name, left(d.description, 10000) AS description,
  left(d.client_id, 1000) AS "clientId", left(d.signers, 10000) AS signers, left(d.file_name, 1000) AS "fileName", d.size_bytes AS "sizeBytes",
  left(d.sha256, 65) AS sha256, d.registered_at AS "registeredAt", s.kind AS "itemKind", s.item_key AS "itemKey", s.value, s.changed_at AS "changedAt",
  d.program_id, ${shownBy()} AS by`;

/** The tables of `feedColumns`, beside `page`: one look into an index for each change. */
const feedJoins = `
  LEFT JOIN LATERAL (SELECT * FROM sealdesk.documents WHERE page.kind = 'document' AND team_id = $1::uuid AND document_id = page.item LIMIT 1) AS d ON true
  LEFT JOIN LATERAL (SELECT * FROM sealdesk.shared_items WHERE page.kind = 'item' AND team_id = $1::uuid AND kind = page.item_kind
    AND item_key = page.item_key LIMIT 1) AS s ON true
  LEFT JOIN LATERAL (SELECT * FROM sealdesk.programs WHERE team_id = $1::uuid AND program_id = coalesce(d.program_id, s.program_id) LIMIT 1) AS p ON true`;

/**
 * The document of a row; none if the row is of no use. Whoever can write to the database writes there: it stops nothing. Not by a schema, as of a million documents that takes
 * most of the time of the thread that others wait for.
 */
function documentOf(connectionId: string, row: Row): NewDocument[] {
  const { documentId, fileName, sha256, registeredAt, by } = row;
  if (!documentIdText.safeParse(documentId).success) return [];
  const sizeBytes = row.sizeBytes === null ? -1 : Number(row.sizeBytes);
  return [
    {
      connectionId,
      jobId: null,
      documentId,
      registeredAt,
      by,
      name: line(row.name),
      description: line(row.description),
      clientId: line(row.clientId),
      signers: line(row.signers),
      fileName: fileName && line(fileName),
      sizeBytes: sizeBytes >= 0 && Number.isSafeInteger(sizeBytes) ? sizeBytes : null,
      sha256: sha256 !== null && /^[0-9a-f]{64}$/.test(sha256) ? sha256 : null,
    },
  ];
}

/** The same for an item that is shared, or is no longer. */
function itemOf(read: unknown): TeamItemChange[] {
  const { data } = itemRow.safeParse(read);
  if (!data) return [];
  const { itemKind: kind, itemKey: key, value, by, changedAt: at } = data;
  return [{ kind, key, value, ...by, at }];
}
