import { randomUUID } from 'node:crypto';
import type { JobState } from '../../../contract/jobs.ts';
import type { TeamClaimState } from '../../../contract/team.ts';
import type { Sql } from '../database/sql.ts';
import { type DocumentRecord, holdNumbers, readJobs, type StoredJob } from '../jobs/job-rows.ts';
import { addStep } from '../jobs/job-steps.ts';

/** A claim of this program, as it is made in the team register. */
export interface OwnClaim {
  readonly claimId: string;
  readonly kind: string;
  readonly key: string;
  /** Grows with each change of the job: the register ignores a report that is older than what it has. */
  readonly version: number;
  /** The claim beside which this one was made, on a person's decision; null for a first claim. */
  readonly secondOf: string | null;
  readonly isWithoutRegister: boolean;
  /** True if it left before the connection joined its team, or while it was out of it. */
  readonly isEarlier: boolean;
  /** Tokens with which this ledger asked for it, the last one last: the register lets nobody go on who does not know its own. */
  readonly asks: readonly string[];
}

/** A claim whose outcome the register does not have yet. */
export interface Unreported extends OwnClaim {
  readonly state: TeamClaimState;
  readonly title: string;
  readonly documentId: string | null;
  readonly record: DocumentRecord | null;
  readonly sha256: string | null;
  readonly sizeBytes: number | null;
  /** ISO 8601, UTC, by this computer's clock. */
  readonly at: string;
}

type ClaimOf = {
  readonly jobId: string;
  readonly connectionId: string;
  readonly kind: string;
  readonly key: string;
};

/**
 * The claims of this program in team registers, and the outbox of their outcomes: both are on the disk before the register is told, so that a register that is
 * away, or a program that is killed, loses none.
 */
export type TeamClaimTable = ReturnType<typeof teamClaimTable>;

/** Values of `without_register`: how a job left. */
const left = { withClaim: 0, byDecision: 1, earlier: 2 } as const;

type ClaimRow = Omit<OwnClaim, 'isWithoutRegister' | 'isEarlier' | 'asks'> & {
  readonly how: number;
  /** JSON. */
  readonly asks: string;
};

const claimColumns =
  'claim_id AS claimId, kind, claim_key AS key, version, second_of AS secondOf, without_register AS how, asks';

const claimOf = <Row extends ClaimRow>({ how, asks, ...row }: Row) => ({
  ...row,
  isWithoutRegister: how !== left.withClaim,
  isEarlier: how === left.earlier,
  asks: JSON.parse(asks) as string[],
});

/** Jobs in one transaction of `claimEarlier`. */
const earlierAtOnce = 500;
const earlierJobs = `WHERE connection_id = ?1 AND seq > ?2 AND state IN ('done', 'in-doubt', 'sending')
  AND NOT EXISTS (SELECT 1 FROM team_claims AS c WHERE c.job_id = jobs.id AND c.is_current = 1 AND c.kind = 'AddNewDocument')`;
/** More than a program asks for one claim without an answer. */
const mostAsks = 50;

/** What a job's state means for its claim. A job that may still be sent keeps it. */
const outcomes: Readonly<Record<JobState, TeamClaimState>> = {
  prepared: 'claimed',
  waiting: 'claimed',
  sending: 'claimed',
  done: 'done',
  'in-doubt': 'in-doubt',
  refused: 'refused',
  failed: 'released',
  'passed-over': 'released',
  cancelled: 'released',
};

export function teamClaimTable(sql: Sql) {
  return { ...ownClaims(sql), ...memberships(sql), ...batchDecisions(sql), ...outbox(sql) };
}

/** The claims that jobs have now, before anything leaves. */
function ownClaims(sql: Sql) {
  const current = (jobId: string) =>
    sql.get<ClaimRow>(`SELECT ${claimColumns} FROM team_claims AS c WHERE job_id = ? AND is_current = 1`, jobId);
  const replaced = (of: ClaimOf, ended: TeamClaimState | null) => {
    sql.run(
      `UPDATE team_claims SET is_current = 0, outcome = ?1, reported_version = iif(?1 IS NULL, version, reported_version)
       WHERE job_id = ?2 AND is_current = 1`,
      ...[ended, of.jobId],
    );
    return claimOf(insert(sql, of));
  };
  return {
    /**
     * The current claim of a job, written with a new token before the register is asked, so that a repeated request is recognized as the same one. Together with what else is
     * written just then: of several jobs that are sent at once each would wait for the disk by itself, and the program with it.
     */
    prepare: (of: ClaimOf): Promise<OwnClaim> =>
      sql.grouped(() => {
        const known = current(of.jobId);
        if (known?.key !== of.key || known.kind !== of.kind) return replaced(of, 'released');
        const asks = JSON.stringify([...claimOf(known).asks, randomUUID()].slice(-mostAsks));
        sql.run('UPDATE team_claims SET asks = ? WHERE claim_id = ?', asks, known.claimId);
        return claimOf({ ...known, asks });
      }),
    /** Another claim in place of the current one, which the register says has ended so; null if it knows more of that one, which is not reported then: what became of it is not known here. */
    replace: (of: ClaimOf, ended: TeamClaimState | null): OwnClaim => sql.transaction(() => replaced(of, ended)),
    setSecond: (claimId: string, secondOf: string): void =>
      void sql.run('UPDATE team_claims SET second_of = ? WHERE claim_id = ?', secondOf, claimId),
    /**
     * True if this ledger made the claim for the same connection: it then decided itself about sending the same twice. `found`: what the register has of it; where that is more
     * than this ledger knows, as in a folder that was put back or copied, nobody has decided: its last token, or that it has left.
     */
    knows: (connectionId: string, claimId: string, found?: { ask: string | null; state: TeamClaimState }): boolean =>
      sql.get(
        `SELECT 1 FROM team_claims AS c LEFT JOIN jobs AS j ON j.id = job_id WHERE c.connection_id = ?1 AND claim_id = ?2
         AND (?3 IS NULL OR EXISTS (SELECT 1 FROM json_each(asks) WHERE value = ?3))
         AND (?4 NOT IN ('done', 'in-doubt') OR coalesce(j.state, 'done') IN ('done', 'in-doubt'))`,
        ...[connectionId, claimId, found?.ask ?? null, found?.state ?? ''],
      ) !== undefined,
  };
}

/** The token of what leaves without a claim ends with when that was: the register gets it later, and has no other place for that time. */
const newToken = (sentAt: string | null) => (sentAt === null ? randomUUID() : `${randomUUID()} ${sentAt}`);

function insert(sql: Sql, of: ClaimOf, how: number = left.withClaim, sentAt: string | null = null): ClaimRow {
  const { jobId, connectionId, kind, key } = of;
  return sql.get<ClaimRow>(
    `INSERT INTO team_claims AS c (claim_id, asks, job_id, connection_id, kind, claim_key, is_current, without_register)
     VALUES (?, ?, ?, ?, ?, ?, 1, ?) RETURNING ${claimColumns}`,
    ...[randomUUID(), JSON.stringify([newToken(sentAt)]), jobId, connectionId, kind, key, how],
  ) as ClaimRow;
}

/** What joining and leaving a team mean for claims. */
function memberships(sql: Sql) {
  return {
    /**
     * Ends the open claims of a connection that is about to leave its team, so that nobody is held by them for ever: released where nothing left, else in doubt, which a
     * lead may decide. They stay here: who joins again goes on with them (`takeUp`).
     */
    handOver: (connectionId: string): void =>
      sql.transaction(() => {
        // Nobody tells any more what becomes of a colleague's claim: a person decides about what was last seen.
        sql.run(
          `UPDATE jobs SET duplicate_of = json_remove(duplicate_of, '$.claim', '$.skipsWhenDone')
           WHERE connection_id = ? AND state = 'waiting' AND held = ${holdNumbers.duplicate} AND json_extract(duplicate_of, '$.kind') = 'team'`,
          connectionId,
        );
        sql.run(
          `UPDATE team_claims SET is_current = 0, version = version + 1, outcome = (SELECT iif(departed_at IS NULL
             AND NOT EXISTS (SELECT 1 FROM job_events WHERE job_seq = jobs.seq AND kind = 'in-doubt'), 'released', 'in-doubt') FROM jobs WHERE id = job_id)
         WHERE connection_id = ? AND is_current = 1 AND job_id IN (SELECT id FROM jobs WHERE state IN ('prepared', 'waiting', 'sending', 'in-doubt'))`,
          connectionId,
        );
      }),
    /** For a connection that joins its team again: takes up the claims of what has left, and reports everything again, because the register may have lost it meanwhile. */
    takeUp: (connectionId: string): void =>
      sql.transaction(() => {
        sql.run(
          `UPDATE team_claims SET is_current = 1, outcome = NULL, version = version + 1,
             without_register = iif(outcome = 'released', ${left.earlier}, without_register)
           WHERE seq IN (SELECT max(c.seq) FROM team_claims AS c JOIN jobs AS j ON j.id = c.job_id
             WHERE c.connection_id = ?1 AND (c.outcome = 'in-doubt' OR c.outcome IS NOT NULL AND j.state IN ('done', 'in-doubt', 'sending'))
             AND NOT EXISTS (SELECT 1 FROM team_claims AS o WHERE o.job_id = j.id AND o.is_current = 1) GROUP BY j.id)`,
          connectionId,
        );
        reportAgain(sql, connectionId);
      }),
    /**
     * Makes claims, to be reported, for one page of what left before the connection joined its team; those of requests that it has already get the key that this version gives
     * them. `keyOf`: what makes two adds the same. Answers how many, and where the next page begins.
     */
    claimEarlier: (connectionId: string, afterSeq: number, keyOf: (job: StoredJob) => string) =>
      sql.transaction(() => {
        const jobs = readJobs(sql, `${earlierJobs} ORDER BY seq LIMIT ?3`, connectionId, afterSeq, earlierAtOnce);
        const rekey =
          'UPDATE team_claims SET reported_version = iif(claim_key = ?1, reported_version, -1), claim_key = ?1 WHERE job_id = ?2 AND is_current = 1';
        for (const job of jobs) {
          const of = { jobId: job.id, connectionId, kind: job.operation, key: keyOf(job) };
          if (sql.run(rekey, of.key, job.id) === 0) insert(sql, of, left.earlier, job.departedAt ?? job.at);
        }
        const last = sql.get<{ seq: number }>('SELECT seq FROM jobs WHERE id = ?', jobs.at(-1)?.id ?? null);
        return { count: jobs.length, next: last?.seq ?? afterSeq };
      }),
    /** How many such claims are still to be made. */
    earlierCount: (connectionId: string, afterSeq: number): number =>
      sql.get<{ n: number }>(`SELECT count(*) AS n FROM jobs ${earlierJobs}`, connectionId, afterSeq)?.n ?? 0,
    /** Forgets the claims of a connection that was removed, or joins another team. */
    forget: (connectionId: string): void =>
      void sql.run('DELETE FROM team_claims WHERE connection_id = ?', connectionId),
  };
}

/** What is sent without the register, on a person's decision about its batch. */
function batchDecisions(sql: Sql) {
  return {
    /** Notes that a job leaves without a claim, to be reported later. */
    leaveWithout: (of: ClaimOf): void =>
      sql.transaction(() => {
        const sentAt = new Date().toISOString();
        const change = "without_register = 1, version = version + 1, asks = json_insert(asks, '$[#]', ?1)";
        const which = 'job_id = ?2 AND is_current = 1';
        if (sql.run(`UPDATE team_claims SET ${change} WHERE ${which}`, newToken(sentAt), of.jobId) === 0)
          insert(sql, of, left.byDecision, sentAt);
        addStep(sql, of.jobId, 'sent-without-register');
      }),
    /** A person's decision to send what has not left of a batch without the register of these connections, which is away; answers how many jobs of each. */
    sendWithout: (batchId: string, away: readonly string[]) =>
      sql.transaction(() => {
        const waits = sql.all<{ readonly connectionId: string; readonly count: number }>(
          `SELECT connection_id AS connectionId, count(*) AS count FROM jobs WHERE batch_id = ? AND dismissed = 0
           AND (state IN ('prepared', 'waiting') OR state = 'sending' AND departed_at IS NULL) AND connection_id IN (SELECT value FROM json_each(?)) GROUP BY connection_id`,
          batchId,
          JSON.stringify(away),
        );
        if (waits.length > 0) sql.run('UPDATE batches SET without_team = 1 WHERE id = ?', batchId);
        return waits;
      }),
    /** The register of a connection is back: what has not left is claimed as usual, and the next time that it is away a person decides anew. */
    endWithout: (connectionId: string): void =>
      void sql.run(
        `UPDATE batches SET without_team = 0 WHERE without_team = 1
         AND EXISTS (SELECT 1 FROM jobs WHERE batch_seq = batches.seq AND connection_id = ?)`,
        connectionId,
      ),
    /** True if its batch is sent without the register. */
    isWithout: (jobId: string): boolean =>
      sql.get<{ without_team: number }>(
        'SELECT b.without_team FROM batches AS b JOIN jobs AS j ON j.batch_seq = b.seq WHERE j.id = ?',
        jobId,
      )?.without_team === 1,
  };
}

/** Only what has an outcome is reported: a job that may still be sent keeps its claim, of which the register knows already, unless it lost it (a version below 0). */
const unreportedRows = `FROM team_claims AS c LEFT JOIN jobs AS j ON j.id = c.job_id
  WHERE c.connection_id = ?1 AND c.version > c.reported_version
  AND (c.is_current = 0 OR j.state = 'sending' AND (c.without_register <> 0 OR c.reported_version < 0 AND j.departed_at IS NOT NULL) OR j.state NOT IN ('prepared', 'waiting', 'sending'))`;

/** `ended`: how a claim ended that is no longer its job's. */
type OutboxRow = ClaimRow &
  Omit<Unreported, keyof OwnClaim | 'state' | 'record'> & {
    readonly ended: TeamClaimState | null;
    readonly jobState: JobState;
    readonly record: string | null;
  };

/** Reports everything again: the register lost it. */
const reportAgain = (sql: Sql, connectionId: string): void =>
  void sql.run('UPDATE team_claims SET reported_version = -1 WHERE connection_id = ?', connectionId);

function outbox(sql: Sql) {
  return {
    /** Outcomes to report, oldest first; not what a person accepted less than `undoMs` ago and may undo: what is done in a register stays done. */
    unreported: (connectionId: string, limit: number, undoMs: number): Unreported[] =>
      sql
        .all<OutboxRow>(
          `SELECT ${claimColumns}, iif(c.is_current = 1, NULL, coalesce(c.outcome, 'released')) AS ended, j.state AS jobState, coalesce(j.title, '') AS title,
             iif(c.is_current = 1, j.document_id, NULL) AS documentId, j.record, j.sha256, iif(j.source_path IS NULL, NULL, j.size_bytes) AS sizeBytes, j.at
           ${unreportedRows} AND NOT EXISTS (SELECT 1 FROM job_events AS e WHERE e.job_seq = j.seq AND e.kind = 'accepted' AND j.state = 'done'
             AND e.at > ?3 AND e.at <= ?4) ORDER BY c.seq LIMIT ?2`,
          ...[connectionId, limit, new Date(Date.now() - undoMs).toISOString(), new Date().toISOString()],
        )
        .map(({ ended, jobState, record, ...row }) => ({
          ...claimOf(row),
          state: ended ?? outcomes[jobState],
          record: record === null ? null : (JSON.parse(record) as DocumentRecord | null),
        })),
    /** The same, and those whose work may still be sent. */
    unreportedCount: (connectionId: string): number =>
      sql.get<{ n: number }>(
        `SELECT (SELECT count(*) ${unreportedRows}) + (SELECT count(*) FROM team_claims AS c JOIN jobs AS j ON j.id = c.job_id
         WHERE c.connection_id = ?1 AND c.is_current = 1 AND j.held <> ${holdNumbers.duplicate} AND j.state IN ('prepared', 'waiting', 'sending')) AS n`,
        connectionId,
      )?.n ?? 0,
    /** Notes what is in the register. On the disk with the next write: what is lost with the power is reported again, which changes nothing there. `dropped`: what it has from an earlier membership. */
    reported: (claims: readonly Pick<OwnClaim, 'claimId' | 'version'>[], dropped: readonly string[] = []): void =>
      sql.unsynced(() => {
        const rows = JSON.stringify(claims.map(({ claimId, version }) => [claimId, version]));
        sql.run(
          `UPDATE team_claims SET reported_version = max(reported_version, g.value ->> 1) FROM json_each(?) AS g WHERE claim_id = g.value ->> 0`,
          rows,
        );
        if (dropped.length > 0)
          sql.run(
            'DELETE FROM team_claims WHERE claim_id IN (SELECT value FROM json_each(?))',
            JSON.stringify(dropped),
          );
      }),
    reportAgain: (connectionId: string): void => reportAgain(sql, connectionId),
  };
}
