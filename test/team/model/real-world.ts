import type { Job } from '../../../contract/jobs.ts';
import type { TeamDatabase } from '../../../electron/core/team/database.ts';
import { jobsOf } from '../../core/jobs-setup.ts';
import type { RunningCore } from '../../harness/core.ts';
import type { TeamRegister } from '../../harness/postgres.ts';
import type { CuttingProxy } from '../cutting-proxy.ts';
import type { patientService } from './patient-service.ts';
import type { State } from './state.ts';

export interface Program {
  readonly proxy: CuttingProxy;
  readonly secrets: Map<string, string>;
  readonly connectionId: string;
  readonly batchId: string;
  readonly jobIds: readonly string[];
  core: RunningCore;
  dataDir: string;
}

/** Programs, a register and a service that do what a trace says. */
export interface Team {
  readonly postgres: TeamRegister;
  readonly admin: TeamDatabase;
  readonly adds: Awaited<ReturnType<typeof patientService>>;
  readonly programs: Program[];
  readonly keys: readonly string[];
  readonly folder: string;
  join(p: number): Promise<void>;
  copy(): Promise<void>;
  restore(): Promise<void>;
}

/** Claims of a program on a document, those of earlier memberships too. */
export async function claimsOf({ admin, keys }: Team, p: number, d: number) {
  return await admin.query<{ claim_id: string; state: string; document_id: string | null }>(
    `SELECT claim_id, state, document_id FROM sealdesk.claims JOIN sealdesk.programs USING (program_id) WHERE person = $1 AND claim_key = $2`,
    [`person ${p}`, keys[d] ?? ''],
  );
}

const heldStates = { claimed: 'sending', doubt: 'in-doubt', done: 'done' } as const;

/** What the model says of a job, in the words of the program. */
function expectedJob(state: State, p: number, d: number): string {
  const job = state.programs[p]?.jobs[d];
  if (!job) return '';
  if (job.state === 'held')
    return `held ${heldStates[job.heldAs as keyof typeof heldStates]}${job.skips ? ', skips' : ''}`;
  if (job.state === 'skipped' || (job.state === 'cancelled' && job.skips)) return 'passed-over';
  return job.state === 'doubt' ? 'in-doubt' : job.state;
}

function realJob(job: Job | undefined, isGone: boolean): string {
  if (!job) return '';
  if (isGone) return job.state === 'sending' ? 'gone' : `gone, but ${job.state}`;
  if (job.pausedBy === 'duplicate')
    return `held ${job.duplicateOf?.state}${job.duplicateOf?.skipsWhenDone ? ', skips' : ''}`;
  return ['prepared', 'sending'].includes(job.state) ? 'waiting' : job.state;
}

const claimStates = ['done', 'in-doubt', 'claimed'] as const;

/** How the world is: jobs, claims, adds and the register, as one text for each. */
async function realWorld(team: Team, state: State): Promise<string[]> {
  const { programs, adds, admin } = team;
  const found: string[] = [];
  for (const [p, { core, batchId, jobIds }] of programs.entries()) {
    const isUp = state.programs[p]?.isUp;
    const jobs = isUp ? await jobsOf(core, batchId) : [];
    for (const [d, jobId] of jobIds.entries()) {
      const job = isUp
        ? realJob(
            jobs.find(({ id }) => id === jobId),
            adds.isGone(p, d),
          )
        : 'not up';
      const rows = await claimsOf(team, p, d);
      // A claim that is over holds nobody, as if there were none.
      const claim = claimStates.find((one) => rows.some((row) => row.state === one)) ?? 'none';
      found.push(`${p} ${d}: ${job}, claim ${claim}, ${adds.has(p, d) ? 'paid' : 'not paid'}`);
    }
  }
  const [row] = await admin.query<{ is_restored: boolean }>(
    "SELECT is_restored FROM sealdesk.teams WHERE name = 'team'",
  );
  return [...found, row?.is_restored ? 'closed' : 'open'];
}

function expectedWorld(state: State): string[] {
  const found = state.programs.flatMap(({ jobs, claims, isUp }, p) =>
    jobs.map((job, d) => {
      const claim = claims[d];
      const words = {
        claimed: 'claimed',
        doubt: 'in-doubt',
        done: 'done',
        none: 'none',
        refused: 'none',
        released: 'none',
      };
      const live = words[claim?.state ?? 'none'];
      return `${p} ${d}: ${isUp ? expectedJob(state, p, d) : 'not up'}, claim ${live}, ${job.isPaid ? 'paid' : 'not paid'}`;
    }),
  );
  return [...found, state.isClosed ? 'closed' : 'open'];
}

/** Waits until the world is as the model says. Answers what is different at the end; null if nothing is. */
export async function becomes(team: Team, state: State, ms: number): Promise<string | null> {
  const wanted = expectedWorld(state);
  const deadline = performance.now() + ms;
  for (let n = 0; ; n += 1) {
    const real = await realWorld(team, state);
    const different = wanted.flatMap((text, at) => (text === real[at] ? [] : [`expected ${text}, is ${real[at]}`]));
    if (different.length === 0) return null;
    if (performance.now() > deadline) return different.join('; ');
    // Nobody waits for the pauses of a connection that was away.
    if (n % 4 === 3) await hurry(team, state);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

async function hurry({ programs }: Team, state: State): Promise<void> {
  for (const [p, { core, connectionId }] of programs.entries()) {
    const { isUp, isMember, isOff } = state.programs[p] ?? { isUp: false, isMember: false, isOff: false };
    if (!isUp || (isMember && isOff)) continue;
    if (isMember) await core.must('team.tryNow', { connectionId });
    // Also where one job is the test of the connection, whose answer the trace may give only later.
    await core.must('connections.setCredentials', { id: connectionId, apiKey: 'key-1', apiSig: 'sig-1' });
  }
}
