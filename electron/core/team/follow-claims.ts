import type { JobTable } from '../../store/jobs/jobs.ts';
import { retryWhileBusy } from '../foundation/retry-while-busy.ts';
import type { TeamDatabase } from './database.ts';

interface ClaimState {
  readonly claim_id: string;
  readonly state: 'claimed' | 'done' | 'in-doubt' | 'refused' | 'released';
  readonly document_id: string | null;
}

const states = {
  claimed: 'sending',
  done: 'in-doubt',
  'in-doubt': 'in-doubt',
  refused: 'over',
  released: 'over',
} as const;

/**
 * Follows the claims of colleagues that hold jobs of this program: a claim that ends without a document lets them go on, and one that is not there any more was lost by
 * a restore. Answers whether any job changed.
 */
export async function followClaims(
  { query }: Pick<TeamDatabase, 'query'>,
  connectionId: string,
  jobs: Pick<JobTable, 'heldForClaims' | 'followClaim'>,
): Promise<boolean> {
  const held = jobs.heldForClaims(connectionId);
  if (held.length === 0) return false;
  const rows = await query<ClaimState>(
    'SELECT claim_id, state, left(document_id, 1000) AS document_id FROM sealdesk.claims WHERE claim_id = ANY($1::uuid[])',
    [[...new Set(held.map(({ claimId }) => claimId))]],
  );
  const claims = new Map(rows.map((row) => [row.claim_id, row]));
  let hasChanged = false;
  for (const { jobId, claimId, state: before } of held) {
    const claim = claims.get(claimId);
    // What is done has an ID: without one nobody can tell whether the service has it.
    const isDone = claim?.state === 'done' && claim.document_id !== null;
    const state = !claim ? 'lost' : isDone ? 'done' : states[claim.state];
    if (state === before) continue;
    if (await retryWhileBusy(() => jobs.followClaim(jobId, state, claim?.document_id ?? null))) hasChanged = true;
  }
  return hasChanged;
}
