import type { TeamClaim } from '../../../contract/team.ts';
import type { JobTable } from '../../store/jobs/jobs.ts';
import { appError } from '../foundation/app-error.ts';
import { retryWhileBusy } from '../foundation/retry-while-busy.ts';
import { heldAs, sentAt } from './claims.ts';
import { isUniqueViolation, type Query } from './database.ts';
import { addEvents, changeTeam, type Joined } from './feed.ts';
import { shownBy, shownPerson, shownText } from './shown-text.ts';

/** Whether a program is silent, judged by the database's clock alone. Longer than a permission holds (ask-claim.ts). */
const isSilent = "p.seen_at < now() - interval '2 minutes'";

/** The name that the lead who decided gave to a program; the database holds the login, which nobody can choose. */
const declaredBy = shownText(`coalesce(${shownPerson('l')}, c.declared_by)`);

/** Claims without an outcome and in doubt, oldest first. Texts are looked at of those alone that are shown: with the longest ones 50,000 took ten seconds. */
export async function openClaims({ database, member }: Joined): Promise<TeamClaim[]> {
  const claims = await database.query<TeamClaim & { readonly ask: string | null }>(
    `WITH c AS MATERIALIZED (
       SELECT * FROM sealdesk.claims WHERE team_id = $1::uuid AND state IN ('claimed', 'in-doubt') ORDER BY claimed_at, claim_id LIMIT 500
     ), leads AS (
       SELECT DISTINCT ON (database_user) * FROM sealdesk.programs
       WHERE team_id = $1::uuid AND database_user IN (SELECT declared_by FROM c) ORDER BY database_user, seen_at DESC
     ) SELECT c.claim_id AS "claimId", ${shownBy()} AS by, c.program_id = $2::uuid AS "isMine", ${shownText('c.title', 1000)} AS title, c.state,
       c.claimed_at AS "claimedAt", coalesce(p.seen_at, c.claimed_at) AS "seenAt", coalesce(${isSilent}, true) AS "isSilent",
       left(c.ask, 100) AS ask, ${declaredBy} AS "declaredBy", c.second_of IS NOT NULL OR c.without_register AS "isSecond"
     FROM c LEFT JOIN sealdesk.programs AS p USING (team_id, program_id) LEFT JOIN leads AS l ON l.database_user = c.declared_by
     ORDER BY c.claimed_at, c.claim_id`,
    [member.teamId, member.programId],
  );
  return claims.map(({ ask, ...claim }) => ({ ...claim, claimedAt: sentAt(claim.claimedAt, ask) }));
}

/**
 * A lead's decision in place of a program that is gone: `in-doubt` for a claim without an outcome of a program that is silent, `settled` for one in doubt. The rights
 * of the database hold it to leads. The claim's own version stays, so that its program, when it comes back, corrects the register from its ledger.
 */
export async function decideClaim(
  joined: Joined,
  claimId: string,
  decision: 'in-doubt' | 'settled',
  documentId: string | null = null,
): Promise<void> {
  const [from, to, event] =
    decision === 'in-doubt'
      ? ['claimed', 'in-doubt', 'declared-in-doubt']
      : ['in-doubt', documentId === null ? 'released' : 'done', 'settled'];
  const work = changeTeam(
    joined,
    'decided',
    `decided AS (
       UPDATE sealdesk.claims AS c SET state = $4, document_id = $5, declared_by = session_user, changed_at = now()
       FROM sealdesk.programs AS p WHERE (p.team_id, p.program_id) = (c.team_id, c.program_id) AND (c.state = 'in-doubt' OR ${isSilent})
       AND c.claim_id = $3::uuid AND c.team_id = $1::uuid AND c.state = $6 RETURNING left(c.title, 1000) AS title, 'claim' AS kind, c.claim_id::text AS item
     ), signed AS (INSERT INTO sealdesk.decisions (claim_id, team_id) SELECT item::uuid, $1::uuid FROM decided ON CONFLICT DO NOTHING
     ), told AS (${addEvents('$7', 'title', '$5', 'FROM decided')})`,
    [claimId, to, documentId, from, event],
  );
  const made = await work.catch((error: unknown) => {
    throw isUniqueViolation(error) ? appError('bad-input', 'another claim on the same exists') : error;
  });
  if (made.length === 0) throw appError('bad-input', `the claim is not one of a silent colleague that is ${from}`);
}

/**
 * Follows the claims of colleagues that hold jobs of this program: a claim that ends without a document lets them go on, and one that is not there any more was lost by
 * a restore. Answers whether any job changed.
 */
export async function followClaims(
  query: Query,
  teamId: string,
  connectionId: string,
  jobs: Pick<JobTable, 'heldForClaims' | 'followClaim'>,
): Promise<boolean> {
  const held = jobs.heldForClaims(connectionId);
  if (held.length === 0) return false;
  const rows = await query<Parameters<typeof heldAs>[0] & { readonly claim_id: string }>(
    'SELECT claim_id, state, left(document_id, 1000) AS "documentId" FROM sealdesk.claims WHERE team_id = $1::uuid AND claim_id = ANY($2::uuid[])',
    [teamId, [...new Set(held.map(({ claimId }) => claimId))]],
  );
  const claims = new Map(rows.map((row) => [row.claim_id, row]));
  let hasChanged = false;
  for (const { jobId, claimId, state: before } of held) {
    const claim = claims.get(claimId);
    const state = claim ? heldAs(claim) : 'lost';
    if (state === before) continue;
    if (await retryWhileBusy(() => jobs.followClaim(jobId, state, claim?.documentId ?? null))) hasChanged = true;
  }
  return hasChanged;
}
