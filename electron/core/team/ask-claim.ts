import type { DuplicateOf } from '../../../contract/jobs.ts';
import type { StoredJob } from '../../store/jobs/job-rows.ts';
import type { TeamClaimTable } from '../../store/team/team-claims.ts';
import { retryWhileBusy } from '../foundation/retry-while-busy.ts';
import { claimInRegister, claimKey, type MakeClaim } from './claims.ts';
import type { TeamDatabase } from './database.ts';
import type { Joined } from './feed.ts';

/**
 * The answer to a claim: the right to send, or a colleague's claim in the way. The right is for now, not for later: a computer that slept after asking is silent for
 * its colleagues, who may have decided about its claim meanwhile.
 */
export type Permission =
  | { readonly isGranted: true; readonly mayStillLeave: () => boolean }
  | { readonly isGranted: false; readonly duplicate: DuplicateOf };

/** Without a team register nobody else decides. */
export const unlimited: Permission = { isGranted: true, mayStillLeave: () => true };

/** Shorter than the time after which a program counts as silent (others-claims.ts); longer than connecting to a service takes. */
const heldForMs = 60_000;

/** A permission as of now. Of the two clocks one stands still while a computer sleeps, and the other can be set: the longer time counts. */
export function permissionFromNow(): Permission {
  const [ticksAt, dateAt] = [performance.now(), Date.now()];
  return {
    isGranted: true,
    mayStillLeave: () => Math.max(performance.now() - ticksAt, Date.now() - dateAt) < heldForMs,
  };
}

interface Needs {
  readonly connectionId: string;
  readonly member: Joined['member'];
  readonly claims: TeamClaimTable;
}

type Using = <T>(work: (database: TeamDatabase) => Promise<T>) => Promise<T>;

/** The claim protocol before an add leaves. The claim is written here first, then in the register; only then may a byte leave. */
export async function claimFor(
  { claims, connectionId, member }: Needs,
  using: Using,
  make: MakeClaim,
  job: StoredJob,
): Promise<Permission> {
  const of = { jobId: job.id, connectionId, kind: job.operation, key: claimKey(job) };
  let own = await retryWhileBusy(() => claims.prepare(of));
  return await using(async (database) => {
    for (let beside: string | null = null; ; ) {
      const permission = permissionFromNow();
      const asked = { claim: own, title: job.title, beside };
      const answer = await claimInRegister({ database, member }, asked, make);
      if (answer.result === 'won') return permission;
      if (answer.result === 'ended') {
        own = await retryWhileBusy(() => claims.replace(of, answer.as));
        beside = null;
        continue;
      }
      const first = answer.with.claim?.claimId ?? '';
      // This ledger knows the first claim and what became of it, so it has asked the person already if it had to.
      const isDecided = job.duplicates === 'send' && isDecidedOn(job.duplicateOf, answer.with);
      if (!(isDecided || (first !== own.claimId && claims.knows(connectionId, first, answer.found))))
        return { isGranted: false, duplicate: answer.with };
      // Decided about this ledger's own claim, of which the register knows more: it stays, and another one is made beside it.
      if (first === own.claimId) own = await retryWhileBusy(() => claims.replace(of, null));
      claims.setSecond(own.claimId, first);
      beside = first;
    }
  });
}

/** True if a person decided about exactly this work of a colleague: by its claim, or by the copy of its document in the local register. */
function isDecidedOn(decided: DuplicateOf | null, { claim, documentId }: DuplicateOf): boolean {
  if (!decided?.isDecided || !decided.by) return false;
  return decided.claim?.claimId === claim?.claimId || (documentId !== null && decided.documentId === documentId);
}
