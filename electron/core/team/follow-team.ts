import type { Store } from '../../store/store.ts';
import { appError } from '../foundation/app-error.ts';
import type { TeamDatabase } from './database.ts';
import { followClaims } from './follow-claims.ts';
import { followDocuments } from './follow-documents.ts';
import { followShared } from './follow-shared.ts';
import type { Joined } from './others-claims.ts';
import { readCopies, type SharedCopy } from './shared-lists.ts';
import { readAssigned } from './team-notes.ts';

interface Needs {
  readonly connectionId: string;
  readonly member: Joined['member'];
  readonly store: Pick<Store, 'documents' | 'jobs' | 'settings' | 'teamItems'>;
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

/**
 * Follows all that the team keeps. One statement asks what is new, and only that is read: with many changes, and with none for hours, a program asks as little as it
 * can. Answers `held-back` if something is new that a transaction of somebody else still holds back: no notice comes when that ends.
 */
export function createFollower(needs: Needs): (database: TeamDatabase) => Promise<'complete' | 'held-back'> {
  const { connectionId, member, store } = needs;
  const known = { documents: '', shared: '', copies: '', requests: '' };
  let copies: readonly SharedCopy[] = [];
  return async (database) => {
    const { upto, next, calls, ...now } = await readChanges(database, member.teamId);
    needs.onCalls(calls);
    if (await followClaims(database, connectionId, store.jobs)) needs.onClaims();
    const last = [now.documents, now.shared].map((change) => BigInt(change.split(' ')[0] ?? 0));
    if (last.some((change) => change >= BigInt(next))) await closeMoved(database, member.teamId);
    const isHeldBack = last.some((change) => change >= BigInt(upto));
    if (now.documents !== known.documents) {
      const { documents, settings } = store;
      await followDocuments(database, { connectionId, member, documents, settings, onStored: needs.onDocuments });
    }
    if (now.shared !== known.shared) {
      const { isCurrent, onShared: onStored } = needs;
      const { teamItems: items, settings } = store;
      await followShared(database, { connectionId, teamId: member.teamId, items, settings, isCurrent, onStored });
    }
    if (now.copies !== known.copies) copies = await readCopies({ database, member });
    needs.onCopies(copies);
    if (now.requests !== known.requests)
      needs.onRequests(new Set(await readAssigned(database, member.teamId, member.person)));
    // Where something is held back, documents and shared items are followed again next time.
    Object.assign(known, now, isHeldBack ? { documents: '', shared: '' } : {});
    return isHeldBack ? 'held-back' : 'complete';
  };
}

/**
 * Closes a register whose rows were written by transactions that this server has not had yet: it was moved here by a dump, and nothing above these numbers could be
 * followed. A lead lets the team go on, which numbers the rows anew.
 */
async function closeMoved({ query }: Pick<TeamDatabase, 'query'>, teamId: string): Promise<never> {
  // A reader may not, and is told the same.
  await query('UPDATE sealdesk.teams SET is_restored = true WHERE team_id = $1::uuid', [teamId]).catch(() => undefined);
  throw appError('not-connected', 'the register was moved from another server', { detail: 'team-restored' });
}

/** The last change of each kind, as a text that changes with it, and the transaction below which all have ended. */
interface Changes {
  readonly upto: string;
  /** The first transaction that there has not been yet. */
  readonly next: string;
  /** Begins with its transaction; so does `shared`. */
  readonly documents: string;
  readonly shared: string;
  readonly copies: string;
  /** A number that grows with each change of any request. Counted, because events are never removed, and a clock or a sequence would not show them in order. */
  readonly requests: string;
  /** Automatic calls of the team in this hour. */
  readonly calls: number;
}

async function readChanges({ query }: Pick<TeamDatabase, 'query'>, teamId: string): Promise<Changes> {
  const [changes] = await query<Changes>(
    `SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS upto, pg_snapshot_xmax(pg_current_snapshot())::text AS next,
       coalesce((SELECT change_xid || ' ' || document_id FROM sealdesk.documents
         WHERE team_id = $1::uuid ORDER BY change_xid DESC, document_id DESC LIMIT 1), '0') AS documents,
       coalesce((SELECT change_xid || ' ' || kind || ' ' || item_key FROM sealdesk.shared_items
         WHERE team_id = $1::uuid ORDER BY change_xid DESC, kind DESC, item_key DESC LIMIT 1), '0') AS shared,
       coalesce((SELECT string_agg(copy_id::text, ' ' ORDER BY list_type) FROM sealdesk.lists WHERE team_id = $1::uuid), '') AS copies,
       (SELECT count(*)::text FROM sealdesk.events WHERE team_id = $1::uuid AND kind IN ('assigned', 'note-added', 'due-changed')) AS requests,
       coalesce((SELECT used FROM sealdesk.service_calls WHERE team_id = $1::uuid AND hour = date_trunc('hour', now())), 0) AS calls`,
    [teamId],
  );
  if (!changes) throw new Error('a statement without a table has one row');
  return changes;
}
