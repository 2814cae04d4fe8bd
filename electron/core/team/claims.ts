import { createHash } from 'node:crypto';
import { withEmailKeys } from '../../../contract/email.ts';
import type { DuplicateOf } from '../../../contract/jobs.ts';
import type { TeamClaimState, TeamPerson } from '../../../contract/team.ts';
import type { StoredJob } from '../../store/jobs/job-rows.ts';
import { comparableArgs } from '../../store/jobs/same-work.ts';
import type { OwnClaim, Unreported } from '../../store/team/team-claims.ts';
import { appError } from '../foundation/app-error.ts';
import { isRefused, isUniqueViolation, type TeamDatabase } from './database.ts';
import { assertOpen, type Change, type FeedPlace, isAt, nowhere, placeValues, thenFed } from './feed.ts';
import { liveStates, schemaVersion } from './schema.ts';
import { shownBy, shownText } from './shown-text.ts';

/** This program in its team. `place`: what it knows of the register; nothing is claimed or written in one that does not know it. */
export interface Member {
  readonly teamId: string;
  readonly programId: string;
  readonly place?: FeedPlace;
}

const placeOf = ({ place }: Member) => place?.now() ?? nowhere;

/**
 * What makes two adds the same, as the local ledger compares them (store/jobs/same-work.ts): the bytes; for a signature request also its people, because one document goes
 * to many on purpose; without a document all fields that are sent.
 */
export function claimKey(job: Claimable): string {
  const signers = withEmailKeys(job.record?.signers ?? '');
  return keyOfTyped({ ...job, record: job.record && { ...job.record, signers }, args: comparableArgs(job.args) });
}

type Claimable = Pick<StoredJob, 'operation' | 'sourcePath' | 'sha256' | 'record' | 'args'>;

/** The key that older programs give this add: of its addresses as they were typed. The same if these are in lower case. */
export function keyOfTyped(job: Claimable): string {
  if (job.sourcePath !== null && job.sha256 !== null)
    return job.operation === 'AddNewDocument' ? job.sha256 : hashOf([job.sha256, job.record?.signers ?? '']);
  return hashOf(Object.entries(job.args).sort(([one], [other]) => (one < other ? -1 : 1)));
}

const hashOf = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex');

/** Result of asking for a claim. `ended`: the register says that this claim is over, so another one is needed. */
export type ClaimAnswer =
  | { readonly result: 'won' }
  | { readonly result: 'ended'; readonly as: TeamClaimState }
  | { readonly result: 'conflict'; readonly with: DuplicateOf };

interface LiveClaim {
  readonly claim_id: string;
  readonly state: TeamClaimState;
  readonly title: string;
  readonly document_id: string | null;
  readonly claimed_at: string;
  readonly ask: string | null;
  readonly seen_at: string;
  readonly by: TeamPerson;
}

/** Attempts, where a claim in the way is released just then. */
const attempts = 5;

/** A claim as it is asked for. */
interface Asked {
  readonly claim: OwnClaim;
  readonly title: string;
  readonly typedKey: string;
}

type Database = Pick<TeamDatabase, 'query'>;

/**
 * Claims an add: one statement, one round trip, committed when it answers. The claim's id was written to the local ledger before: if the answer is lost, asking again finds
 * the own claim. `make`: with other claims, or by itself.
 */
export async function claimInRegister(
  database: Database,
  member: Member,
  asked: Asked,
  make: MakeClaim = (on, one) => makeClaims(on, member, [one]),
): Promise<ClaimAnswer> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if ((await make(database, asked)).has(asked.claim.claimId)) return { result: 'won' };
    await assertOpen(database.query, member);
    const answer = await answerOfExisting(database, member, asked);
    if (answer) return answer;
  }
  throw appError('not-connected', 'the claims on a document kept changing', { detail: 'team-away' });
}

/** Makes a claim if nothing is in its way; answers the IDs of the claims that were made together with it. */
export type MakeClaim = (on: Database, asked: Asked) => Promise<ReadonlySet<string>>;

/**
 * Makes claims of several jobs by one statement, so that they wait for one commit: those that are asked for while one is on its way. One whose texts the database refuses
 * keeps none of the others: then each is made by itself.
 */
export function claimsTogether(member: Member): MakeClaim {
  let next: { readonly on: Database; readonly all: Asked[]; readonly made: ReturnType<MakeClaim> } | null = null;
  let last: Promise<unknown> = Promise.resolve();
  const begin = (on: Database) => {
    const all: Asked[] = [];
    const made = last.then(() => {
      if (next?.all === all) next = null;
      return makeClaims(on, member, all);
    });
    last = made.catch(() => undefined);
    return { on, all, made };
  };
  return async (on, asked) => {
    if (next?.on !== on) next = begin(on);
    const { all, made } = next;
    all.push(asked);
    return await made.catch((error: unknown) => {
      if (all.length === 1 || !isRefused(error)) throw error;
      return makeClaims(on, member, [asked]);
    });
  };
}

/**
 * The unique index decides between programs that ask at the same moment; the condition also sees second claims, which the index leaves out. The schema's version, the restore
 * mark and what this program knows of the register are part of it, so that no other round trip is needed to respect them. In the order of their keys, so that two programs
 * with the same documents do not wait for each other. Each key is looked for by itself: of an array the planner makes a condition on the team alone, and reads all of its claims.
 */
async function makeClaims({ query }: Database, member: Member, asked: readonly Asked[]): ReturnType<MakeClaim> {
  const column = (of: (one: Asked) => string) => asked.map(of);
  const made = await query<Change & { readonly item: string }>(
    `WITH asked AS (
       SELECT * FROM unnest($3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[], $9::text[])
         AS g(claim_id, kind, claim_key, typed_key, title, version, ask)
     ), claimed AS (
       INSERT INTO sealdesk.claims (claim_id, team_id, kind, claim_key, program_id, title, state, version, ask)
       SELECT claim_id, $1::uuid, kind, claim_key, $2::uuid, left(title, 1000), 'claimed', version, nullif(ask, '') FROM asked
       WHERE NOT EXISTS (SELECT 1 FROM unnest(ARRAY[asked.claim_key, asked.typed_key]) AS key WHERE (SELECT true FROM sealdesk.claims AS c
         WHERE c.team_id = $1::uuid AND c.kind = asked.kind AND c.claim_key = key AND c.state IN ${liveStates} LIMIT 1))
       AND EXISTS (SELECT 1 FROM sealdesk.teams WHERE team_id = $1::uuid AND NOT is_restored)
       AND (SELECT max(version) FROM sealdesk.schema_versions) = $10 AND ${isAt('$1', 11)}
       ORDER BY kind COLLATE "C", claim_key COLLATE "C" ON CONFLICT DO NOTHING RETURNING 'claim' AS kind, claim_id::text AS item
     ), ${thenFed('claimed')} SELECT position, mark, item FROM changed ORDER BY position`,
    [
      ...[member.teamId, member.programId, column(({ claim }) => claim.claimId), column(({ claim }) => claim.kind)],
      ...[column(({ claim }) => claim.key), column(({ typedKey }) => typedKey), column(({ title }) => title)],
      ...[column(({ claim }) => String(claim.version)), column(({ claim }) => lastAsk(claim) ?? '')],
      ...[schemaVersion, ...placeValues(placeOf(member))],
    ],
    { name: 'claim' },
  );
  member.place?.saw(made);
  return new Set(made.map(({ item }) => item));
}

const lastAsk = ({ asks }: OwnClaim) => asks.at(-1) ?? null;

/**
 * Asks again for a claim of this ledger, in one statement that also takes its token. `unknown` if the register knows more about it than this ledger does: the data folder
 * was put back to an earlier state, or a copy of it is in use, and what became of the claim is not known here. `in-the-way`: somebody has reported meanwhile what left
 * without being let in, or was let in because this one was in doubt; the doubt, which a person decided to send again, then is over.
 */
async function askAgain(
  { query }: Database,
  member: Member,
  claim: OwnClaim,
): Promise<'won' | 'unknown' | 'in-the-way'> {
  const made = await query<Change & { readonly is_taken: boolean }>(
    `WITH own AS (
       SELECT *, state = 'in-doubt' OR without_register AS is_over FROM sealdesk.claims WHERE claim_id = $1::uuid AND (ask IS NULL OR ask = ANY ($4))
         AND program_id = $7::uuid AND (state = 'claimed' AND version <= $2::bigint OR state = 'in-doubt' AND version < $2::bigint) FOR UPDATE
     ), judged AS (
       SELECT own.*, EXISTS (SELECT 1 FROM sealdesk.claims AS o WHERE o.team_id = own.team_id AND o.kind = own.kind AND o.claim_key = own.claim_key
         AND o.claim_id NOT IN (own.claim_id, $6::uuid) AND o.state IN ${liveStates} AND (own.is_over OR o.state = 'done' OR o.without_register)) AS is_taken FROM own
     ), asked AS (
       UPDATE sealdesk.claims AS c SET state = CASE WHEN NOT j.is_taken THEN 'claimed' WHEN j.is_over THEN 'released' ELSE c.state END,
         without_register = c.without_register AND j.is_taken, version = $2::bigint, ask = $3, changed_at = now()
       FROM judged AS j WHERE c.claim_id = j.claim_id RETURNING 'claim' AS kind, c.claim_id::text AS item
     ), ${thenFed('asked', '$5')} SELECT position, mark, (SELECT is_taken FROM judged) AS is_taken FROM changed`,
    [
      ...[claim.claimId, claim.version, lastAsk(claim), claim.asks, member.teamId],
      ...[claim.secondOf ?? claim.claimId, member.programId],
    ],
  );
  member.place?.saw(made);
  return made.length === 0 ? 'unknown' : made[0]?.is_taken ? 'in-the-way' : 'won';
}

/** Why the insert wrote nothing. Null if the reason is gone: then it is tried again. */
async function answerOfExisting(
  { query }: Database,
  member: Member,
  { claim, typedKey }: Asked,
): Promise<ClaimAnswer | null> {
  const found = await query<LiveClaim>(
    `SELECT c.claim_id, c.state, ${shownText('c.title', 1000)} AS title, left(c.document_id, 1000) AS document_id, c.claimed_at, left(c.ask, 100) AS ask,
       coalesce(p.seen_at, c.claimed_at) AS seen_at, ${shownBy()} AS by
     FROM sealdesk.claims AS c LEFT JOIN sealdesk.programs AS p ON p.program_id = c.program_id
     WHERE c.claim_id = $1::uuid OR (c.team_id = $2::uuid AND c.kind = $3 AND c.claim_key = ANY ($4) AND c.state IN ${liveStates})
     ORDER BY c.claim_id = $1::uuid DESC, c.second_of IS NOT NULL, c.claimed_at LIMIT 100`,
    [claim.claimId, member.teamId, claim.kind, [claim.key, typedKey]],
  );
  const own = found.find(({ claim_id }) => claim_id === claim.claimId);
  // In doubt: a person decided here to send it again.
  if (own?.state === 'claimed' || own?.state === 'in-doubt') {
    const end = await askAgain({ query }, member, claim);
    if (end === 'won') return { result: 'won' };
    const others = found.filter(({ claim_id }) => ![claim.claimId, claim.secondOf].includes(claim_id));
    // One that left before comes first.
    const inTheWay = end === 'unknown' ? own : (others.find(({ state }) => state === 'done') ?? others[0]);
    return inTheWay ? { result: 'conflict', with: duplicateOf(inTheWay) } : null;
  }
  if (own?.state === 'released' || own?.state === 'refused') return { result: 'ended', as: own.state };
  const other = found[0];
  return other ? { result: 'conflict', with: duplicateOf(other) } : null;
}

/**
 * Puts claims of this program in doubt that its ledger does not know: it left the team while the register was away, or a restore brought back what had ended. A lead decides
 * about them, who could not as long as the program is heard of.
 */
export async function doubtForgotten(
  { query }: Database,
  member: Member,
  isKnown: (claimId: string) => boolean,
): Promise<void> {
  const open = await query<{ claim_id: string }>(
    "SELECT claim_id FROM sealdesk.claims WHERE team_id = $1::uuid AND program_id = $2::uuid AND state = 'claimed'",
    [member.teamId, member.programId],
  );
  const forgotten = open.map(({ claim_id }) => claim_id).filter((claimId) => !isKnown(claimId));
  if (forgotten.length === 0) return;
  const made = await query<Change>(
    `WITH doubted AS (
       UPDATE sealdesk.claims SET state = 'in-doubt', changed_at = now() WHERE claim_id = ANY ($2::uuid[]) AND state = 'claimed'
       RETURNING 'claim' AS kind, claim_id::text AS item
     ), ${thenFed('doubted')} SELECT position, mark, pg_notify('sealdesk', $1::text) FROM changed`,
    [member.teamId, forgotten],
  );
  member.place?.saw(made);
}

/** What a claim means for a job that it holds. What is done has an ID: without one nobody can tell whether the service has it. */
export function heldAs({ state, document_id }: Pick<LiveClaim, 'state' | 'document_id'>) {
  if (state === 'done') return document_id ? 'done' : 'in-doubt';
  return state === 'claimed' ? 'sending' : state === 'in-doubt' ? 'in-doubt' : 'over';
}

/** When it was sent, to be shown: of what left without a claim the end of its token says so (store/team/team-claims.ts), never later than the register knew of it. */
export function sentAt(claimedAt: string, ask: string | null): string {
  const said = Date.parse(/ (\d{4}-\S+Z)$/.exec(ask ?? '')?.[1] ?? '');
  return said < Date.parse(claimedAt) ? new Date(said).toISOString() : claimedAt;
}

function duplicateOf(claim: LiveClaim): DuplicateOf {
  const state = heldAs(claim);
  return {
    kind: 'team',
    documentId: claim.document_id,
    jobId: null,
    title: claim.title,
    state: state === 'over' ? 'done' : state,
    at: sentAt(claim.claimed_at, claim.ask),
    by: claim.by,
    claim: { claimId: claim.claim_id, seenAt: claim.seen_at },
  };
}

/**
 * Claims an add beside the live claim `secondOf`, on a person's decision about exactly that one: one statement, which locks it, so that it is not released between the
 * look at it and the second claim. False if it is not live any more: then a first claim is asked for.
 */
export async function claimBeside(
  { query }: Database,
  member: Member,
  claim: OwnClaim,
  title: string,
  secondOf: string,
): Promise<boolean> {
  await assertOpen(query, member);
  const made = await query<Change>(
    `WITH live AS (
       SELECT 1 FROM sealdesk.claims WHERE claim_id = $8::uuid AND state IN ${liveStates} FOR UPDATE
     ), beside AS (
       INSERT INTO sealdesk.claims (claim_id, team_id, kind, claim_key, program_id, title, state, version, second_of, ask)
       SELECT $1::uuid, $2::uuid, $3, $4, $5::uuid, left($6, 1000), 'claimed', $7::bigint, $8::uuid, $9 FROM live WHERE ${isAt('$2', 11)}
       ON CONFLICT DO NOTHING RETURNING 'claim' AS kind, claim_id::text AS item
     ), told AS (
       INSERT INTO sealdesk.events (event_id, team_id, program_id, kind, title) SELECT $10, $2::uuid, $5::uuid, 'sent-anyway', left($6, 1000) FROM beside
       ON CONFLICT (event_id) DO NOTHING
     ), ${thenFed('beside', '$2')} SELECT position, mark FROM changed`,
    [
      ...[claim.claimId, member.teamId, claim.kind, claim.key, member.programId, title, claim.version, secondOf],
      ...[lastAsk(claim), `${claim.claimId}.anyway`, ...placeValues(placeOf(member))],
    ],
    { name: 'claim-beside' },
  );
  member.place?.saw(made);
  // Made before, when its answer was lost.
  return made.length === 1 || (await askAgain({ query }, member, { ...claim, secondOf })) === 'won';
}

/** Reports outcomes: all in one statement, or, if one of them meets a claim that another program made meanwhile, one by one. */
export async function reportOutcomes(
  database: TeamDatabase,
  member: Member,
  outcomes: readonly Unreported[],
): Promise<void> {
  try {
    await report(database, member, outcomes);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    const [outcome, ...others] = outcomes;
    if (!outcome || others.length > 0) {
      for (const one of outcomes) await reportOutcomes(database, member, [one]);
      return;
    }
    // Somebody else was let in (the claim was settled for this program, the register restored, or this was sent without it): both are kept, this one as the second.
    const [first] = await database.query<{ claim_id: string }>(
      `SELECT claim_id FROM sealdesk.claims WHERE team_id = $1::uuid AND kind = $2 AND claim_key = $3
       AND state IN ${liveStates} AND second_of IS NULL`,
      [member.teamId, outcome.kind, outcome.key],
    );
    await report(database, member, [{ ...outcome, secondOf: first?.claim_id ?? outcome.claimId }], { isLate: true });
  }
}

/**
 * True for what a ledger knows about its claim. One that was put back to an earlier state, or copied, does not know what became of its claims since (`ask`): of it only
 * the news of a document counts. What is done stays done, unless a lead decided it.
 */
const isNews = `(excluded.state = 'done' OR c.declared_by IS NOT NULL
  OR c.state <> 'done' AND (c.ask IS NULL OR (SELECT asks ? c.ask FROM given WHERE given.claim_id = c.claim_id)))`;

/**
 * One statement writes claims, documents and events, so that they never contradict each other. A claim that the register does not have (sent without it, or lost by
 * a restore) is added; a report that arrives late changes nothing, because of its version.
 */
async function report(
  database: TeamDatabase,
  member: Member,
  outcomes: readonly Unreported[],
  { isLate = false } = {},
): Promise<void> {
  const made = await database.query<Change>(
    `WITH given AS (
       SELECT "claimId" AS claim_id, "documentId" AS document_id, * FROM jsonb_to_recordset($3::jsonb) AS g("claimId" uuid, kind text, key text,
         version bigint, "secondOf" uuid, "isWithoutRegister" boolean, state text, title text, "documentId" text, event text, name text, description text,
         "clientId" text, signers text, "fileName" text, sha256 text, "sizeBytes" bigint, at timestamptz, ask text, asks jsonb)
     ), claimed AS (
       INSERT INTO sealdesk.claims AS c (claim_id, team_id, kind, claim_key, program_id, title, state, document_id, second_of, without_register, version, ask)
       SELECT claim_id, $1::uuid, kind, key, $2::uuid, left(title, 1000), state, document_id, "secondOf", "isWithoutRegister", version, ask FROM given
       ON CONFLICT (claim_id) DO UPDATE SET state = CASE WHEN ${isNews} THEN excluded.state ELSE c.state END,
         document_id = CASE WHEN ${isNews} THEN excluded.document_id ELSE c.document_id END, version = greatest(c.version, excluded.version),
         second_of = coalesce(excluded.second_of, c.second_of), without_register = c.without_register OR excluded.without_register, changed_at = now()
       WHERE c.version < excluded.version OR excluded.state = 'done' AND c.state <> 'done'
       RETURNING 'claim' AS kind, claim_id::text AS item
     ), registered AS (
       INSERT INTO sealdesk.documents AS d (team_id, document_id, program_id, name, description, client_id, signers, file_name, sha256, size_bytes, registered_at)
       SELECT $1::uuid, document_id, $2::uuid, left(name, 1000), left(description, 10000), left("clientId", 1000), left(signers, 10000),
         left("fileName", 1000), sha256, "sizeBytes", least(at, now())
       FROM given WHERE state = 'done' AND document_id IS NOT NULL AND name IS NOT NULL
       ON CONFLICT (team_id, document_id) DO NOTHING RETURNING 'document' AS kind, document_id AS item
     ), told AS (
       INSERT INTO sealdesk.events (event_id, team_id, program_id, kind, title, document_id)
       SELECT claim_id || '.' || version, $1::uuid, $2::uuid, event, left(title, 1000), document_id FROM given WHERE event IS NOT NULL AND (event <> 'released'
         OR EXISTS (SELECT 1 FROM sealdesk.claims AS was WHERE was.claim_id = given.claim_id AND was.state = 'in-doubt'))
       ON CONFLICT (event_id) DO NOTHING
     ), listed AS (SELECT * FROM claimed UNION ALL SELECT * FROM registered), ${thenFed('listed')}
     SELECT position, mark, pg_notify('sealdesk', $1::text) FROM changed ORDER BY position`,
    [
      member.teamId,
      member.programId,
      JSON.stringify(
        outcomes.map((outcome) => reportedAs(outcome, isLate)),
        forDatabase,
      ),
    ],
    { name: 'report' },
  );
  member.place?.saw(made);
}

/** The database refuses half of a character and the character zero, with the whole report; a file name on Windows may have the first. */
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
  { query }: Database,
  member: Member,
  outcomes: readonly Unreported[],
): Promise<ReadonlyMap<string, 'own' | { readonly secondOf: string }>> {
  const earlier = outcomes.filter(({ isEarlier, documentId }) => isEarlier && documentId !== null);
  if (earlier.length === 0) return new Map();
  const rows = await query<{ own_id: string; claim_id: string; is_own: boolean }>(
    `SELECT DISTINCT ON (g.own_id) g.own_id, c.claim_id, coalesce(p.database_user, session_user) = session_user AS is_own
     FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[]) AS g(own_id, kind, claim_key, document_id)
     JOIN sealdesk.claims AS c ON c.team_id = $1::uuid AND c.kind = g.kind AND c.claim_key = g.claim_key AND c.document_id = g.document_id AND c.state = 'done'
     LEFT JOIN sealdesk.programs AS p ON p.program_id = c.program_id
     WHERE NOT EXISTS (SELECT 1 FROM sealdesk.claims AS own WHERE own.claim_id = g.own_id)
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
