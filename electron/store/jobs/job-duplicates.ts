import type { DuplicateOf, JobState } from '../../../contract/jobs.ts';
import type { RunLock } from '../database/run-lock.ts';
import type { Sql } from '../database/sql.ts';
import { holdOvertaken, isTakenOver } from './adopt-jobs.ts';
import type { JobChange, MoveJob } from './job-moves.ts';
import { type Gate, gateIs, gateNumber, gates, holdNumbers, readJob, type StoredJob } from './job-rows.ts';
import { addStep } from './job-steps.ts';
import { mayHaveRegistered, recordDuplicate, sameBytes, sameWork } from './same-work.ts';

/** Result of sending a job again: it is sent, waits for a person's decision, or was passed over by its rule to skip duplicates. */
export type AgainEnd = 'goes' | 'asks' | 'skipped';

/** A job that a colleague's claim holds, and how that stood when it was last seen. */
export interface HeldForClaim {
  readonly jobId: string;
  readonly claimId: string;
  readonly state: DuplicateOf['state'];
}

const ofSize = ['documents', 'jobs'].map(
  (table) => `SELECT 1 FROM ${table} WHERE connection_id = ? AND size_bytes = ? LIMIT 1`,
);
const unhashed = `SELECT 1 FROM jobs AS j WHERE id = ? AND state = 'prepared' AND held = 0 AND gate = 0 AND dismissed = 0
  AND NOT EXISTS (SELECT 1 FROM documents AS d WHERE d.connection_id = j.connection_id AND d.size_bytes = j.size_bytes)
  AND NOT EXISTS (SELECT 1 FROM jobs AS o WHERE o.connection_id = j.connection_id AND o.size_bytes = j.size_bytes AND o.id <> j.id)`;

/** Finds documents and jobs with the same bytes, stores decisions about them, and checks for them on both ways into the queue. `move` is called within a transaction. */
export function jobDuplicates(sql: Sql, run: RunLock, move: MoveJob) {
  return {
    /**
     * The document or job with these bytes on this connection: a document in the register, else a job that is done, in doubt, being sent or waiting, in this order. Failed,
     * refused, passed-over and cancelled jobs do not count, nor does `jobId`, nor the jobs that it replaced.
     */
    sameBytes: (connectionId: string, sha256: string, jobId?: string) =>
      sameBytes(sql, connectionId, sha256, { jobId }),
    /** Another job, on any connection, that may be why the service knows these bytes. */
    mayHaveRegistered: (sha256: string, exceptJobId: string) => mayHaveRegistered(sql, sha256, exceptJobId),
    /** True if a document or job has this size and so may have the same bytes; files of other sizes need not be read. */
    hasSize: (connectionId: string, sizeBytes: number) =>
      ofSize.some((text) => sql.get(text, connectionId, sizeBytes) !== undefined),
    /** True if nothing keeps a prepared job back, and nothing that is known on its connection has its size: whatever its bytes are, they were never sent. */
    goesUnhashed: (id: string) => sql.get(unhashed, id) !== undefined,
    /**
     * Moves a prepared job whose bytes are now known to `waiting`, in one transaction with the search for duplicates: of two jobs with
     * the same bytes the second always sees the first. With the rule `ask` a duplicate is held, with `skip` it is passed over; a job that was sent again is
     * checked as in `sendAgain`. Answers the new state; false if the job was no longer prepared.
     */
    admit: (id: string, known: Known) => sql.transaction(() => admit(sql, move, id, known)),
    /**
     * Sends ended jobs that are in one of `from` again, on a person's decision. `to`: `waiting` for jobs whose copies are in the spool, `prepared` for those to be copied anew.
     * Whatever their rule and operation, each is checked for duplicates in the same transaction: a duplicate that no person has decided about yet
     * is held for a decision. Answers the jobs that moved. Besides that only a paused batch and the gate that `gateOf` names can hold them.
     */
    sendAgain: (ids: readonly string[], how: Again) =>
      sql.transaction(() =>
        ids.flatMap((id) => {
          const end = sendAgain(sql, move, id, how);
          return end ? [{ id, end }] : [];
        }),
      ),
    ...teamsWork(sql, move),
    /**
     * Ends the countdown of a batch: the one that this run counts, or for `anyone` also that of another run, and one that was stopped. Jobs whose work was given to
     * the program again since they came, and has left, are held for a decision about that, or passed over by their rule to skip.
     */
    openGates: (batchId: string, whose: 'own' | 'anyone' | 'counting' | 'stopped'): void =>
      sql.transaction(() => {
        const [own, anyone] = [`${gateIs.counting} AND run_id = ?`, `gate % ${gates.paced} <> 0`];
        const kept = `batch_id = ? AND ${{ own, anyone, ...gateIs }[whose]}`;
        const values = [batchId, ...(whose === 'own' ? [run.runId] : [])];
        holdOvertaken(sql, move, ['left', `j.${kept}`, ...values]);
        sql.run(`UPDATE jobs SET gate = gate - gate % ${gates.paced} WHERE ${kept}`, ...values);
      }),
    /**
     * Carries out a person's decision about a held duplicate; false if the job does not wait for one. What a colleague is only sending is skipped once it is
     * registered there: until then it may fail, and nobody would have it. `gate`: of what is sent.
     */
    decide: (id: string, decision: 'send' | 'skip', gate: Gate) =>
      sql.transaction(() => decide(sql, move, id, decision, gate)),
  };
}

/** What colleagues' claims do to jobs of here. */
function teamsWork(sql: Sql, move: MoveJob) {
  return {
    /**
     * Takes back a job that is about to be sent, because a colleague has claimed the same: it is held for a decision, or passed over by its rule to skip. False if it
     * is not being sent, or has departed.
     */
    holdForTeam: (id: string, same: DuplicateOf) => sql.transaction(() => holdForTeam(sql, move, id, same)),
    /** Jobs of a connection that are held because a colleague's claim is not over, the oldest first. */
    heldForClaims: (connectionId: string) =>
      sql.all<HeldForClaim>(
        `SELECT id AS jobId, json_extract(duplicate_of, '$.claim.claimId') AS claimId, json_extract(duplicate_of, '$.state') AS state FROM jobs
         WHERE connection_id = ? AND state = 'waiting' AND held = ${holdNumbers.duplicate}
         AND json_extract(duplicate_of, '$.kind') = 'team' AND json_extract(duplicate_of, '$.state') <> 'done'
         AND claimId IS NOT NULL ORDER BY seq`,
        connectionId,
      ),
    /**
     * Takes over what became of the claim that holds a job: `done` skips it if that was decided; `over` means that the colleague's was not registered, so that the
     * job asks for a claim of its own; `lost` that nobody will tell: a person decides about what was last seen. False if nothing changes.
     */
    followClaim: (id: string, state: ClaimState, documentId: string | null) =>
      sql.transaction(() => followClaim(sql, move, id, state, documentId)),
  };
}

type Known = Pick<JobChange, 'imageSha256'> & { readonly sha256?: string };
type ClaimState = 'sending' | 'in-doubt' | 'done' | 'over' | 'lost';

function admit(sql: Sql, move: MoveJob, id: string, known: Known): JobState | false {
  const job = readJob(sql, id);
  if (job?.state !== 'prepared') return false;
  if (wasOnce(sql, id, 'sent-again')) {
    if (!move(id, ['prepared'], 'waiting', { ...known, failure: null })) return false;
    return checkAgain(sql, move, job, known.sha256 ?? job.sha256) === 'skipped' ? 'passed-over' : 'waiting';
  }
  const same = firstCheck(sql, job, known.sha256);
  const to = same && job.duplicates === 'skip' ? 'passed-over' : 'waiting';
  if (!move(id, ['prepared'], to, { ...known, failure: null })) return false;
  const isOvertaken = holdOvertaken(sql, move, ['given', `${isTakenOver} AND j.id = ?`, id]);
  if (same && !isOvertaken) recordDuplicate(sql, id, same, job.duplicates === 'ask');
  return to;
}

function holdForTeam(sql: Sql, move: MoveJob, id: string, same: DuplicateOf): boolean {
  const job = readJob(sql, id);
  if (job?.departedAt !== null || !move(id, ['sending'], 'waiting', resetAttempt)) return false;
  // Sent again it waits for a person, as what was passed over for another reason.
  const skips = job.duplicates === 'skip' && job.duplicateOf === null;
  const isOver = skips && same.state === 'done';
  recordDuplicate(sql, id, skips && !isOver ? { ...same, skipsWhenDone: true } : same, !isOver);
  if (isOver) move(id, ['waiting'], 'passed-over', { failure: null });
  return true;
}

const isAsked = `id = ? AND state = 'waiting' AND held = ${holdNumbers.duplicate}`;

function followClaim(sql: Sql, move: MoveJob, id: string, state: ClaimState, documentId: string | null): boolean {
  const same = readJob(sql, id)?.duplicateOf;
  if (!isTeamsWork(same) || same.state === state) return false;
  if (state === 'over')
    return sql.run(`UPDATE jobs SET held = ${heldByBatch}, duplicate_of = NULL WHERE ${isAsked}`, id) === 1;
  const { claim: _claim, skipsWhenDone: _skips, ...lost } = { ...same, state: 'in-doubt' };
  const now = JSON.stringify(state === 'lost' ? lost : { ...same, state, documentId });
  if (sql.run(`UPDATE jobs SET duplicate_of = ? WHERE ${isAsked}`, now, id) !== 1) return false;
  if (state === 'done' && same.skipsWhenDone) move(id, ['waiting'], 'passed-over', { failure: null });
  return true;
}

function decide(sql: Sql, move: MoveJob, id: string, decision: 'send' | 'skip', gate: Gate): boolean {
  if (decision === 'skip' && isTeamsWork(readJob(sql, id)?.duplicateOf)) {
    const marked = sql.run(
      `UPDATE jobs SET duplicate_of = json_set(duplicate_of, '$.skipsWhenDone', json('true')) WHERE ${isAsked}`,
      id,
    );
    if (marked === 1) addStep(sql, id, 'duplicate-decided');
    return marked === 1;
  }
  // In a paused batch the job stays held, now by the batch.
  const released = sql.run(
    `UPDATE jobs SET held = ${heldByBatch}, duplicates = 'send', gate = max(gate, ?), updated_at = ?,
       duplicate_of = json_set(duplicate_of, '$.isDecided', json('true')) WHERE ${isAsked}`,
    gateNumber(gate),
    new Date().toISOString(),
    id,
  );
  if (released !== 1) return false;
  addStep(sql, id, 'duplicate-decided');
  if (decision === 'skip') move(id, ['waiting'], 'passed-over', { failure: null });
  return true;
}

/** True for a colleague's work whose end is followed. */
function isTeamsWork(same: DuplicateOf | null | undefined): same is DuplicateOf {
  return same?.kind === 'team' && same.state !== 'done' && same.claim !== undefined;
}

const heldByBatch = `iif((SELECT held FROM batches AS b WHERE b.seq = batch_seq) = 1, ${holdNumbers.batch}, 0)`;

/** The duplicate of a job that is sent for the first time. A registration with the rule `send` still records what it repeats; a request with this rule, such as one of a bulk, does not. */
function firstCheck(sql: Sql, job: StoredJob, sha256: string | undefined): DuplicateOf | null {
  return job.operation !== 'AddNewDocument' && job.duplicates === 'send' ? null : sameWork(sql, job, sha256 ?? null);
}

/** Resets the results of the attempt before. */
const resetAttempt = { failure: null, departedAt: null, answerBeganAt: null } as const;

export interface Again {
  readonly from: readonly JobState[];
  readonly to: 'prepared' | 'waiting';
  readonly gateOf: (job: StoredJob) => Gate;
}

function sendAgain(sql: Sql, move: MoveJob, id: string, { from, to, gateOf }: Again): AgainEnd | null {
  // The bytes of a job that was never admitted have not been read to their end.
  const isKnown = to === 'waiting' && wasOnce(sql, id, 'waiting');
  if (!move(id, from, isKnown ? 'waiting' : 'prepared', resetAttempt)) return null;
  // A person decided on the files as they are now.
  const before = readJob(sql, id);
  const gate = before ? gateNumber(gateOf(before)) : gates.open;
  sql.run(
    `UPDATE jobs SET held = ${heldByBatch}, gate = ?, modified_ms = NULL, identity = NULL, image_modified_ms = NULL, image_identity = NULL
     WHERE id = ?`,
    gate,
    id,
  );
  addStep(sql, id, 'sent-again');
  const job = readJob(sql, id);
  return isKnown && job ? checkAgain(sql, move, job, job.sha256) : 'goes';
}

/** Checks a job that was sent again and now waits: a duplicate is held for a decision, or passed over by the rule to skip. */
function checkAgain(sql: Sql, move: MoveJob, job: StoredJob, sha256: string | null): AgainEnd {
  const same = sameWork(sql, job, sha256);
  if (!same) return 'goes';
  const skips = job.duplicates === 'skip' && job.duplicateOf === null;
  recordDuplicate(sql, job.id, same, !skips);
  if (!skips) return 'asks';
  move(job.id, ['waiting'], 'passed-over', { failure: null });
  return 'skipped';
}

/** True if the job's history has a step of this kind. */
function wasOnce(sql: Sql, id: string, kind: 'waiting' | 'sent-again'): boolean {
  const step = sql.get(
    'SELECT 1 FROM job_events WHERE job_seq = (SELECT seq FROM jobs WHERE id = ?) AND kind = ? LIMIT 1',
    id,
    kind,
  );
  return step !== undefined;
}
