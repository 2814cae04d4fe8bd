import { cpSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { usualPauses } from '../electron/core/foundation/pauses.ts';
import { claimInRegister } from '../electron/core/team/claims.ts';
import type { TeamDatabase } from '../electron/core/team/database.ts';
import type { Store } from '../electron/store/store.ts';
import { type RunningCore, startCore } from '../test/harness/core.ts';
import type { Postgres } from '../test/harness/postgres.ts';
import type { RunningPractice } from '../test/harness/practice.ts';
import { isSmall, quantile, smallPdf } from './harness.ts';
import { connected, totalOf } from './team-member.ts';
import { startProgram } from './team-processes.ts';
import { report, reportTime } from './team-report.ts';

export interface Team {
  readonly postgres: Postgres;
  readonly admin: TeamDatabase;
}

/** Waits until a new program has copied what its team had before: that is measured apart. */
async function untilCopied(core: RunningCore, connectionId: string, { admin }: Team): Promise<void> {
  const [all] = await admin.query<{ n: string }>('SELECT count(*) AS n FROM sealdesk.documents');
  while ((await totalOf(core, connectionId)) < Number(all?.n)) await sleep(100);
}

/** Adds per second of as many programs, each with files of its own, from the moment that the files are there until all are answered. */
async function addsPerSecond(
  service: RunningPractice,
  team: Team | null,
  { programs, filesEach }: { readonly programs: number; readonly filesEach: number },
  begin: () => Promise<void> = async () => undefined,
): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'sealdesk-bench-'));
  const running = [];
  for (let n = 0; n < programs; n += 1) {
    const [released, kept, dataDir, copy] = ['released', 'kept', 'data', 'copy'].map((name) =>
      join(folder, String(n), name),
    ) as [string, string, string, string];
    for (const path of [released, kept, dataDir]) await mkdir(path, { recursive: true });
    for (let at = 0; at < filesEach; at += 1)
      await writeFile(join(kept, `${at}.pdf`), smallPdf(`${folder} ${n} ${at}`));
    const core = await startCore({ dataDir });
    const connectionId = await connected(core, service, team?.postgres ?? null, `person ${n}`);
    if (team) await untilCopied(core, connectionId, team);
    // The database's connection is open as long as this process lives: the program gets a copy.
    cpSync(dataDir, copy, { recursive: true });
    await rm(join(copy, 'sealdesk.db-shm'), { force: true });
    await core.stop();
    const credentials = JSON.stringify({ apiKey: service.apiKey, apiSig: service.apiSig });
    const program = startProgram({
      DATA_DIR: copy,
      CONNECTION_ID: connectionId,
      CREDENTIALS: credentials,
      FOLDER: released,
      TEAM_LOOK_MS: String(usualPauses.teamLookMs),
    });
    await program.started;
    running.push({ program, kept, released });
  }
  // The programs have connected.
  await sleep(1_000);
  await begin();
  const since = performance.now();
  for (const { kept, released } of running) {
    await rename(kept, join(released, '0'));
    await mkdir(join(released, 'all'));
  }
  await Promise.all(running.map(({ program }) => program.sent));
  const seconds = (performance.now() - since) / 1_000;
  await Promise.all(running.map(({ program }) => program.ended));
  await rm(folder, { recursive: true, force: true });
  return (programs * filesEach) / seconds;
}

/** Statements of the programs since `pg_stat_statements_reset`, as PostgreSQL counted them: each is one round trip. */
async function statements(admin: TeamDatabase): Promise<{ claims: number; outcomes: number; others: number }> {
  const rows = await admin.query<{ kind: 'claims' | 'outcomes' | 'others'; n: number }>(
    `SELECT CASE WHEN query LIKE 'WITH asked AS%' THEN 'claims' WHEN query LIKE 'WITH given AS%' THEN 'outcomes' ELSE 'others' END AS kind,
       sum(calls)::int AS n FROM pg_stat_statements WHERE userid = 'bo'::regrole GROUP BY 1`,
  );
  return { claims: 0, outcomes: 0, others: 0, ...Object.fromEntries(rows.map(({ kind, n }) => [kind, n])) };
}

/** Of rates over the same number of adds. */
const mean = (rates: readonly number[]) => rates.length / rates.reduce((sum, rate) => sum + 1 / rate, 0);

/** Adds with and without a register, and the round trips that they take. */
export async function measureAdds(of: Team, service: RunningPractice, filesEach: number): Promise<void> {
  const { admin } = of;
  await admin.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
  await addsPerSecond(service, null, { programs: 1, filesEach });
  for (const programs of isSmall ? [2] : [1, 4, 8]) {
    const size = { programs, filesEach };
    const reset = async () => void (await admin.query('SELECT pg_stat_statements_reset()'));
    // In turn and back, so that other work on this computer slows both alike.
    const first = await addsPerSecond(service, null, size);
    const withTeam = [await addsPerSecond(service, of, size), await addsPerSecond(service, of, size, reset)];
    const local = mean([first, await addsPerSecond(service, null, size)]);
    const team = mean(withTeam);
    const { claims, outcomes, others } = await statements(admin);
    const perAdd = (n: number) => (n / (programs * filesEach)).toFixed(2);
    const who = programs === 1 ? '1 program' : `${programs} programs`;
    const rate = (n: number) => `${n.toFixed(1)} adds/s`;
    report(`adds, ${who}`, rate(team), rate(local), (team / local).toFixed(2), '≥ 0.80');
    const parts = `claim ${perAdd(claims)}, outcome ${perAdd(outcomes)}`;
    report(`round trips for each add, ${who}`, `${perAdd(claims + outcomes)} (${parts})`, '0', '–', '≤ 2');
    report(`statements of following for each add, ${who}`, perAdd(others), '0');
  }
}

/** Time of a claim, beside that of a departure's commit in the local ledger. */
export async function measureClaims(admin: TeamDatabase, teamId: string, store: Store): Promise<void> {
  const programId = crypto.randomUUID();
  await admin.query(
    "INSERT INTO sealdesk.programs (program_id, team_id, person, computer, version) VALUES ($1::uuid, $2::uuid, 'ana', 'desk', '1')",
    [programId, teamId],
  );
  const [team, local]: [number[], number[]] = [[], []];
  for (let n = 0; n < (isSmall ? 20 : 500); n += 1) {
    const of = { jobId: crypto.randomUUID(), connectionId: 'office', kind: 'AddNewDocument', key: `latency ${n}` };
    let since = performance.now();
    const own = await store.teamClaims.prepare(of);
    local.push(performance.now() - since);
    since = performance.now();
    const joined = { database: admin, member: { teamId, programId } };
    await claimInRegister(joined, { claim: own, title: 'title' });
    team.push(performance.now() - since);
  }
  reportTime('a claim, beside a commit of the local ledger, median', quantile(team, 0.5), quantile(local, 0.5), 'ms');
  reportTime('a claim, beside a commit of the local ledger, p95', quantile(team, 0.95), quantile(local, 0.95), 'ms');
}
