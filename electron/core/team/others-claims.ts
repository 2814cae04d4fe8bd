import type { TeamClaim, TeamClaimState } from '../../../contract/team.ts';
import { appError } from '../foundation/app-error.ts';
import type { Member } from './claims.ts';
import type { TeamDatabase } from './database.ts';
import { isUniqueViolation } from './database-errors.ts';
import { type Change, thenFed } from './feed.ts';
import { shownPerson, shownText } from './shown-text.ts';

/** A register in use. */
export interface Joined {
  readonly database: TeamDatabase;
  readonly member: Member & { readonly person: string; readonly computer: string };
}

interface ClaimRow {
  readonly claim_id: string;
  readonly person: string;
  readonly computer: string;
  readonly program_id: string;
  readonly title: string;
  readonly state: TeamClaimState;
  readonly claimed_at: Date;
  readonly seen_at: Date;
  readonly is_silent: boolean;
  readonly document_id: string | null;
  readonly declared_by: string | null;
  readonly second_of: string | null;
  readonly without_register: boolean;
}

/** Whether a program is silent, judged by the database's clock alone. Longer than a permission holds (permission.ts). */
const isSilent = "p.seen_at < now() - interval '2 minutes'";

/** The name that the lead who decided gave to a program; the database holds the login, which nobody can choose. */
const declaredBy = `coalesce((SELECT ${shownPerson('l')} FROM sealdesk.programs AS l WHERE l.team_id = c.team_id AND l.database_user = c.declared_by
  ORDER BY l.seen_at DESC LIMIT 1), c.declared_by)`;

/** Claims without an outcome and in doubt, oldest first. */
export async function openClaims({ database, member }: Joined): Promise<TeamClaim[]> {
  const rows = await database.query<ClaimRow>(
    `SELECT c.claim_id, c.program_id, c.state, c.claimed_at, left(c.document_id, 1000) AS document_id, c.second_of, c.without_register,
       ${shownText('c.title', 1000)} AS title, ${shownText(declaredBy)} AS declared_by, coalesce(${shownPerson()}, '?') AS person,
       coalesce(${shownText('p.computer')}, '?') AS computer,
       coalesce(p.seen_at, c.claimed_at) AS seen_at, coalesce(${isSilent}, true) AS is_silent
     FROM sealdesk.claims AS c LEFT JOIN sealdesk.programs AS p ON p.program_id = c.program_id
     WHERE c.team_id = $1::uuid AND c.state IN ('claimed', 'in-doubt') ORDER BY c.claimed_at, c.claim_id LIMIT 500`,
    [member.teamId],
  );
  return rows.map((row) => ({
    claimId: row.claim_id,
    by: { person: row.person, computer: row.computer },
    isMine: row.program_id === member.programId,
    title: row.title,
    state: row.state,
    claimedAt: row.claimed_at.toISOString(),
    seenAt: row.seen_at.toISOString(),
    isSilent: row.is_silent,
    documentId: row.document_id,
    declaredBy: row.declared_by,
    isSecond: row.second_of !== null || row.without_register,
  }));
}

/**
 * A lead's decision in place of a program that is gone: `in-doubt` for a claim without an outcome of a program that is silent, `settled` for one in doubt. The rights
 * of the database hold it to leads. The claim's own version stays, so that its program, when it comes back, corrects the register from its ledger.
 */
export async function decideClaim(
  { database, member }: Joined,
  claimId: string,
  decision: 'in-doubt' | 'settled',
  documentId: string | null = null,
): Promise<void> {
  const to = decision === 'in-doubt' ? 'in-doubt' : documentId === null ? 'released' : 'done';
  const from = decision === 'in-doubt' ? 'claimed' : 'in-doubt';
  const work = database.query<Change>(
    `WITH decided AS (
       UPDATE sealdesk.claims AS c SET state = $3, document_id = $4, declared_by = session_user, changed_at = now()
       FROM sealdesk.programs AS p WHERE p.program_id = c.program_id AND (c.state = 'in-doubt' OR ${isSilent})
       AND c.claim_id = $1::uuid AND c.team_id = $2::uuid AND c.state = $5 RETURNING left(c.title, 1000) AS title, 'claim' AS kind, c.claim_id::text AS item
     ), told AS (
       INSERT INTO sealdesk.events (event_id, team_id, program_id, kind, title, document_id)
       SELECT gen_random_uuid()::text, $2::uuid, $6::uuid, $7, title, $4 FROM decided
     ), ${thenFed('decided', '$2')} SELECT position, mark, pg_notify('sealdesk', $2::text) FROM changed`,
    [
      ...[claimId, member.teamId, to, documentId, from, member.programId],
      decision === 'in-doubt' ? 'declared-in-doubt' : 'settled',
    ],
  );
  const made = await work.catch((error: unknown) => {
    throw isUniqueViolation(error) ? appError('bad-input', 'another claim on the same exists') : error;
  });
  if (made.length === 0) throw appError('bad-input', `the claim is not one of a silent colleague that is ${from}`);
  member.place?.saw(made);
}
