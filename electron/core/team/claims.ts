import { createHash } from 'node:crypto';
import { peopleKey } from '../../../contract/email.ts';
import type { DuplicateOf } from '../../../contract/jobs.ts';
import type { TeamClaimState } from '../../../contract/team.ts';
import type { StoredJob } from '../../store/jobs/job-rows.ts';
import { comparableArgs } from '../../store/jobs/same-work.ts';
import type { OwnClaim, Unreported } from '../../store/team/team-claims.ts';
import { appError } from '../foundation/app-error.ts';
import { isUniqueViolation } from './database.ts';
import { addEvents, assertOpen, changeTeam, isAt, isOpen, type Joined, nowhere, placeValues } from './feed.ts';
import { liveStates, schemaVersion } from './schema.ts';
import { shownBy, shownText } from './shown-text.ts';

/**
 * What makes two adds the same, as the local ledger compares them (store/jobs/same-work.ts): the bytes; for a signature request also its people in any order, because one document
 * goes to many on purpose; without a document the template as it is filled in and its people, of a note all fields.
 */
export function claimKey(job: Pick<StoredJob, 'operation' | 'sourcePath' | 'sha256' | 'record' | 'args'>): string {
  if (job.sourcePath !== null && job.sha256 !== null)
    return job.operation === 'AddNewDocument' ? job.sha256 : hashOf([job.sha256, peopleKey(job.record?.signers ?? '')]);
  return hashOf(Object.entries(comparableArgs(job.args)).sort(([one], [other]) => (one < other ? -1 : 1)));
}

const hashOf = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex');

/** Result of asking for a claim. `ended`: the register says that this claim is over, so another one is needed. */
export type ClaimAnswer =
  | { readonly result: 'won' }
  | { readonly result: 'ended'; readonly as: TeamClaimState }
  | { readonly result: 'conflict'; readonly with: DuplicateOf; readonly found: Pick<LiveClaim, 'state' | 'ask'> };

type LiveClaim = Pick<DuplicateOf, 'title' | 'documentId' | 'at' | 'by'> &
  NonNullable<DuplicateOf['claim']> & { readonly state: TeamClaimState; readonly ask: string | null };

/** Attempts, where a claim in the way is released just then. */
const attempts = 5;

/** A claim as it is asked for. */
interface Asked {
  readonly claim: OwnClaim;
  readonly title: string;
  /** The live claim beside which it is made, on a person's decision about exactly that one. */
  readonly beside?: string | null;
}

/**
 * Claims an add: one statement, one round trip, committed when it answers. The claim's id was written to the local ledger before: if the answer is lost, asking again finds
 * the own claim. `make`: with other claims, or by itself.
 */
export async function claimInRegister(
  joined: Joined,
  asked: Asked,
  make: MakeClaim = (on, one) => makeClaims(on, [one]),
): Promise<ClaimAnswer> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if ((await make(joined, asked)).has(asked.claim.claimId)) return { result: 'won' };
    await assertOpen(joined);
    const answer = await answerOfExisting(joined, asked);
    if (answer) return answer;
  }
  throw appError('not-connected', 'the claims on a document kept changing', { detail: 'team-away' });
}

/** Makes a claim if nothing is in its way; answers the IDs of the claims that were made together with it. */
export type MakeClaim = (on: Joined, asked: Asked) => Promise<ReadonlySet<string>>;

/** Makes claims of several jobs by one statement, so that they wait for one commit: those that are asked for while one is on its way. */
export function claimsTogether(): MakeClaim {
  let next: { readonly on: Joined; readonly all: Asked[]; readonly made: ReturnType<MakeClaim> } | null = null;
  let last: Promise<unknown> = Promise.resolve();
  const begin = (on: Joined) => {
    const all: Asked[] = [];
    const made = last.then(() => {
      if (next?.all === all) next = null;
      return makeClaims(on, all);
    });
    last = made.catch(() => undefined);
    return { on, all, made };
  };
  return async (on, asked) => {
    if (next?.on.database !== on.database) next = begin(on);
    next.all.push(asked);
    return await next.made;
  };
}

/**
 * The unique index decides between programs that ask at the same moment; the condition also sees second claims, which the index leaves out. The schema's version, the restore
 * mark and what this program knows of the register are part of it, so that no other round trip is needed to respect them. In the order of their keys, so that two programs
 * with the same documents do not wait for each other. Each key is looked for by itself: of all together the planner makes a condition on the team alone, and reads all of its claims.
 * A claim beside a live one locks that, so that it is not released between the look at it and the second claim; where it is not live any more, a first one is asked for. No index of live claims serves that look: all of the team would be read.
 */
async function makeClaims(joined: Joined, asked: readonly Asked[]): ReturnType<MakeClaim> {
  const given = asked.map(({ claim, title, beside }) => ({ ...claim, title, ask: lastAsk(claim), beside }));
  const made = await changeTeam<{ readonly item: string }>(
    joined,
    'claimed',
    `asked AS (
       SELECT *, (SELECT c.claim_id FROM sealdesk.claims AS c WHERE c.team_id = $1::uuid AND c.claim_id = beside AND coalesce(c.state IN ${liveStates}, false) FOR UPDATE) AS second_of
       FROM jsonb_to_recordset($3::jsonb) AS g("claimId" uuid, kind text, key text, title text, version bigint, ask text, beside uuid) ORDER BY beside
     ), claimed AS (
       INSERT INTO sealdesk.claims (claim_id, team_id, kind, claim_key, program_id, title, state, version, ask, second_of)
       SELECT "claimId", $1::uuid, kind, key, $2::uuid, left(title, 1000), 'claimed', version, ask, second_of FROM asked
       WHERE (second_of IS NOT NULL OR (SELECT true FROM sealdesk.claims AS c
         WHERE c.team_id = $1::uuid AND c.kind = asked.kind AND c.claim_key = asked.key AND c.state IN ${liveStates} LIMIT 1) IS NULL)
       AND ${isOpen('$1')} AND (SELECT max(version) FROM sealdesk.schema_versions) = $4 AND ${isAt('$1', 5)}
       ORDER BY kind COLLATE "C", key COLLATE "C" ON CONFLICT DO NOTHING RETURNING 'claim' AS kind, claim_id::text AS item, second_of, title
     ), told AS (${addEvents("'sent-anyway'", 'title', 'NULL', 'FROM claimed WHERE second_of IS NOT NULL', "(item || '.anyway')")})`,
    [JSON.stringify(given, forDatabase), schemaVersion, ...placeValues(joined.member.place?.now() ?? nowhere)],
    { name: 'claim', isInTurn: true, columns: ', item', isTold: false },
  );
  return new Set(made.map(({ item }) => item));
}

const lastAsk = ({ asks }: OwnClaim) => asks.at(-1) ?? null;

/**
 * Asks again for a claim of this ledger, in one statement that also takes its token. `unknown` if the register knows more about it than this ledger does: the data folder
 * was put back to an earlier state, or a copy of it is in use, and what became of the claim is not known here. `in-the-way`: somebody has reported meanwhile what left
 * without being let in, or was let in because this one was in doubt; the doubt, which a person decided to send again, then is over.
 */
async function askAgain(joined: Joined, { claim, beside }: Asked): Promise<'won' | 'unknown' | 'in-the-way'> {
  const [made] = await changeTeam<{ readonly is_taken: boolean }>(
    joined,
    'asked',
    `own AS (
       SELECT *, state = 'in-doubt' OR without_register AS is_over FROM sealdesk.claims WHERE team_id = $1::uuid AND claim_id = $3::uuid AND (ask IS NULL OR ask = ANY ($6))
         AND program_id = $2::uuid AND (state = 'claimed' AND version <= $4::bigint OR state = 'in-doubt' AND version < $4::bigint) FOR UPDATE
     ), judged AS (
       SELECT own.*, EXISTS (SELECT 1 FROM sealdesk.claims AS o WHERE o.team_id = own.team_id AND o.kind = own.kind AND o.claim_key = own.claim_key
         AND o.claim_id NOT IN (own.claim_id, $7::uuid) AND o.state IN ${liveStates} AND (own.is_over OR o.state = 'done' OR o.without_register)) AS is_taken FROM own
     ), asked AS (
       UPDATE sealdesk.claims AS c SET state = CASE WHEN NOT j.is_taken THEN 'claimed' WHEN j.is_over THEN 'released' ELSE c.state END,
         without_register = c.without_register AND j.is_taken, version = $4::bigint, ask = $5, changed_at = now()
       FROM judged AS j WHERE (c.team_id, c.claim_id) = (j.team_id, j.claim_id) RETURNING 'claim' AS kind, c.claim_id::text AS item
     )`,
    [claim.claimId, claim.version, lastAsk(claim), claim.asks, beside ?? claim.secondOf ?? claim.claimId],
    { columns: ', (SELECT is_taken FROM judged) AS is_taken', isTold: false },
  );
  return !made ? 'unknown' : made.is_taken ? 'in-the-way' : 'won';
}

/** Why the insert wrote nothing. Null if the reason is gone: then it is tried again. */
async function answerOfExisting(joined: Joined, asked: Asked): Promise<ClaimAnswer | null> {
  const { claim } = asked;
  const found = await joined.database.query<LiveClaim>(
    `SELECT c.claim_id AS "claimId", c.state, ${shownText('c.title', 1000)} AS title, left(c.document_id, 1000) AS "documentId", c.claimed_at AS at,
       left(c.ask, 100) AS ask, coalesce(p.seen_at, c.claimed_at) AS "seenAt", ${shownBy()} AS by
     FROM (
       SELECT * FROM sealdesk.claims WHERE team_id = $2::uuid AND (claim_id = $1::uuid OR kind = $3 AND claim_key = $4 AND state IN ${liveStates})
       ORDER BY claim_id = $1::uuid DESC, second_of IS NOT NULL, claimed_at LIMIT 100
     ) AS c LEFT JOIN sealdesk.programs AS p USING (team_id, program_id) ORDER BY c.claim_id = $1::uuid DESC, c.second_of IS NOT NULL, c.claimed_at`,
    [claim.claimId, joined.member.teamId, claim.kind, claim.key],
  );
  const own = found.find(({ claimId }) => claimId === claim.claimId);
  // In doubt: a person decided here to send it again.
  if (own?.state === 'claimed' || own?.state === 'in-doubt') {
    const end = await askAgain(joined, asked);
    if (end === 'won') return { result: 'won' };
    const others = found.filter(({ claimId }) => ![claim.claimId, asked.beside ?? claim.secondOf].includes(claimId));
    // One that left before comes first.
    const inTheWay = end === 'unknown' ? own : (others.find(({ state }) => state === 'done') ?? others[0]);
    return inTheWay ? { result: 'conflict', with: duplicateOf(inTheWay), found: inTheWay } : null;
  }
  if (own?.state === 'released' || own?.state === 'refused') return { result: 'ended', as: own.state };
  const other = found[0];
  return other ? { result: 'conflict', with: duplicateOf(other), found: other } : null;
}

/**
 * Puts claims of this program in doubt that its ledger does not know: it left the team while the register was away, or a restore brought back what had ended. A lead decides
 * about them, who could not as long as the program is heard of.
 */
export async function doubtForgotten(joined: Joined, isKnown: (claimId: string) => boolean): Promise<void> {
  const { database, member } = joined;
  const open = await database.query<{ claim_id: string }>(
    "SELECT claim_id FROM sealdesk.claims WHERE team_id = $1::uuid AND program_id = $2::uuid AND state = 'claimed'",
    [member.teamId, member.programId],
  );
  const forgotten = open.map(({ claim_id }) => claim_id).filter((claimId) => !isKnown(claimId));
  if (forgotten.length === 0) return;
  await changeTeam(
    joined,
    'doubted',
    `doubted AS (
       UPDATE sealdesk.claims SET state = 'in-doubt', changed_at = now()
       WHERE team_id = $1::uuid AND program_id = $2::uuid AND claim_id = ANY ($3::uuid[]) AND state = 'claimed' RETURNING 'claim' AS kind, claim_id::text AS item
     )`,
    [forgotten],
  );
}

/** What a claim means for a job that it holds. What is done has an ID: without one nobody can tell whether the service has it. */
export function heldAs({ state, documentId }: Pick<LiveClaim, 'state' | 'documentId'>) {
  if (state === 'done') return documentId ? 'done' : 'in-doubt';
  return state === 'claimed' ? 'sending' : state === 'in-doubt' ? 'in-doubt' : 'over';
}

/** When it was sent, to be shown: of what left without a claim the end of its token says so (store/team/team-claims.ts), never later than the register knew of it. */
export function sentAt(claimedAt: string, ask: string | null): string {
  const said = Date.parse(/ (\d{4}-\S+Z)$/.exec(ask ?? '')?.[1] ?? '');
  return said < Date.parse(claimedAt) ? new Date(said).toISOString() : claimedAt;
}

function duplicateOf({ ask, claimId, seenAt, ...claim }: LiveClaim): DuplicateOf {
  const held = heldAs(claim);
  const state = held === 'over' ? 'done' : held;
  return { ...claim, kind: 'team', jobId: null, state, at: sentAt(claim.at, ask), claim: { claimId, seenAt } };
}

/** Reports outcomes: all in one statement, or, if one of them meets a claim that another program made meanwhile, one by one. */
export async function reportOutcomes(joined: Joined, outcomes: readonly Unreported[]): Promise<void> {
  try {
    await report(joined, outcomes);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    const [outcome, ...others] = outcomes;
    if (!outcome || others.length > 0) {
      for (const one of outcomes) await reportOutcomes(joined, [one]);
      return;
    }
    // Somebody else was let in (the claim was settled for this program, the register restored, or this was sent without it): both are kept, this one as the second.
    const { database, member } = joined;
    const [first] = await database.query<{ claim_id: string }>(
      `SELECT claim_id FROM sealdesk.claims WHERE team_id = $1::uuid AND kind = $2 AND claim_key = $3
       AND state IN ${liveStates} AND second_of IS NULL`,
      [member.teamId, outcome.kind, outcome.key],
    );
    await report(joined, [{ ...outcome, secondOf: first?.claim_id ?? outcome.claimId }], true);
  }
}

/**
 * True for what a ledger knows about its claim, and reports for the first time. One that was put back to an earlier state, or copied, does not know what became of its claims since (`ask`): of it only
 * the news of a document counts. What is done stays done, unless a lead decided it.
 */
const isNews = `(excluded.state = 'done' OR c.version < excluded.version AND (c.declared_by IS NOT NULL
  OR c.state <> 'done' AND (c.ask IS NULL OR (SELECT asks ? c.ask FROM given WHERE given.claim_id = c.claim_id))))`;

/**
 * One statement writes claims, documents and events, so that they never contradict each other. A claim that the register does not have (sent without it, or lost by
 * a restore) is added; a report that arrives late changes nothing, because of its version.
 */
async function report(joined: Joined, outcomes: readonly Unreported[], isLate = false): Promise<void> {
  const given = outcomes.map((outcome) => reportedAs(outcome, isLate));
  await changeTeam(
    joined,
    'listed',
    `given AS (
       SELECT "claimId" AS claim_id, "documentId" AS document_id, * FROM jsonb_to_recordset($3::jsonb) AS g("claimId" uuid, kind text, key text,
         version bigint, "secondOf" uuid, "isWithoutRegister" boolean, state text, title text, "documentId" text, event text, name text, description text,
         "clientId" text, signers text, "fileName" text, sha256 text, "sizeBytes" bigint, at timestamptz, ask text, asks jsonb)
     ), claimed AS (
       INSERT INTO sealdesk.claims AS c (claim_id, team_id, kind, claim_key, program_id, title, state, document_id, second_of, without_register, version, ask)
       SELECT claim_id, $1::uuid, kind, key, $2::uuid, left(title, 1000), state, document_id, "secondOf", "isWithoutRegister", version, ask FROM given
       ON CONFLICT (team_id, claim_id) DO UPDATE SET state = CASE WHEN ${isNews} THEN excluded.state ELSE c.state END,
         document_id = CASE WHEN ${isNews} THEN excluded.document_id ELSE c.document_id END, claim_key = excluded.claim_key, version = greatest(c.version, excluded.version),
         second_of = coalesce(excluded.second_of, c.second_of), without_register = c.without_register OR excluded.without_register, changed_at = now()
       WHERE c.version < excluded.version OR excluded.state = 'done' AND c.state <> 'done' OR c.version = excluded.version AND c.claim_key <> excluded.claim_key
       RETURNING 'claim' AS kind, claim_id::text AS item
     ), registered AS (
       INSERT INTO sealdesk.documents AS d (team_id, document_id, program_id, name, description, client_id, signers, file_name, sha256, size_bytes, registered_at)
       SELECT $1::uuid, document_id, $2::uuid, left(name, 1000), left(description, 10000), left("clientId", 1000), left(signers, 10000),
         left("fileName", 1000), sha256, "sizeBytes", least(at, now())
       FROM given WHERE state = 'done' AND document_id IS NOT NULL AND name IS NOT NULL
       ON CONFLICT (team_id, document_id) DO NOTHING RETURNING 'document' AS kind, document_id AS item
     ), news AS (
       SELECT * FROM given WHERE event IS NOT NULL AND (event <> 'released'
         OR EXISTS (SELECT 1 FROM sealdesk.claims AS was WHERE was.team_id = $1::uuid AND was.claim_id = given.claim_id AND was.state = 'in-doubt'))
     ), told AS (${addEvents('event', 'left(title, 1000)', 'document_id', 'FROM news', "(claim_id || '.' || version)")}
     ), listed AS (SELECT * FROM claimed UNION ALL SELECT * FROM registered)`,
    [JSON.stringify(given, forDatabase)],
    { name: 'report', isInTurn: true },
  );
}

/** The database refuses half of a character and the character zero, with all that is in the statement; a file name on Windows may have the first. */
const forDatabase = (_key: string, value: unknown) =>
  typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\ufffd') : value;

/** `released` is told only of what was in doubt: files that were passed over or taken back before they left are no news for colleagues. */
const eventOf = {
  done: 'registered',
  refused: 'refused',
  'in-doubt': 'in-doubt',
  released: 'released',
  claimed: null,
} as const;

/**
 * What the register has already of documents that left before this membership: claims to drop where the same login reported it, and the claim beside which the others stand,
 * of a colleague: it says the same, but a colleague can take it back. Not what it was told in this membership, as a doubt: that is to be told how it ended.
 */
export async function knownAlready(
  { database, member }: Joined,
  outcomes: readonly Unreported[],
): Promise<ReadonlyMap<string, 'own' | { readonly secondOf: string }>> {
  const earlier = outcomes.filter(({ isEarlier, documentId }) => isEarlier && documentId !== null);
  if (earlier.length === 0) return new Map();
  const rows = await database.query<{ own_id: string; claim_id: string; is_own: boolean }>(
    `SELECT DISTINCT ON (g.own_id) g.own_id, c.claim_id, coalesce(p.database_user, session_user) = session_user AS is_own
     FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[]) AS g(own_id, kind, claim_key, document_id)
     JOIN sealdesk.claims AS c ON c.team_id = $1::uuid AND c.kind = g.kind AND c.claim_key = g.claim_key AND c.document_id = g.document_id AND c.state = 'done'
     LEFT JOIN sealdesk.programs AS p USING (team_id, program_id)
     WHERE NOT EXISTS (SELECT 1 FROM sealdesk.claims AS own WHERE own.team_id = $1::uuid AND own.claim_id = g.own_id)
     ORDER BY g.own_id, is_own DESC, c.second_of IS NOT NULL`,
    [
      ...[member.teamId, earlier.map(({ claimId }) => claimId), earlier.map(({ kind }) => kind)],
      ...[earlier.map(({ key }) => key), earlier.map(({ documentId }) => documentId ?? '')],
    ],
  );
  return new Map(rows.map((row) => [row.own_id, row.is_own ? 'own' : { secondOf: row.claim_id }]));
}

/** The fields of `given`. `isLate`: somebody else was let in before it was reported. */
function reportedAs(outcome: Unreported, isLate: boolean) {
  const isWithoutDecided = outcome.isWithoutRegister && outcome.state === 'done';
  return {
    ...outcome.record,
    ...outcome,
    record: undefined,
    isWithoutRegister: outcome.isWithoutRegister || isLate,
    // What was done before joining is no news of today: thousands of events would hide what is.
    event: outcome.isEarlier ? null : isWithoutDecided ? 'sent-without-register' : eventOf[outcome.state],
    ask: lastAsk(outcome),
  };
}
