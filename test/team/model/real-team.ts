import { randomUUID } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Job } from '../../../contract/jobs.ts';
import { openTeamDatabase, type TeamDatabase } from '../../../electron/core/team/database.ts';
import { resumeTeam } from '../../../electron/core/team/init-team.ts';
import { jobsOf, register, until, writePdfs } from '../../core/jobs-setup.ts';
import { sha256 } from '../../faults/fault-runs.ts';
import { memoryKeychain, type RunningCore, startCore } from '../../harness/core.ts';
import type { TeamRegister } from '../../harness/postgres.ts';
import { type Behaviour, recordingService } from '../../harness/recording-service.ts';
import { type CuttingProxy, cuttingProxy } from '../cutting-proxy.ts';
import { backUp } from '../restore-in-place.ts';
import type { State } from './protocol.ts';
import type { Action, World } from './traces.ts';

/** Requests to the register, as they begin on the wire. */
const asksFor = 'INSERT INTO sealdesk.claims (claim_id';
const reports = 'INSERT INTO sealdesk.claims AS c';

const fileOf = (d: number) => `${d}.pdf`;

/** A service that keeps each add until the trace says what becomes of it. */
async function patientService() {
  /** Adds on their way, by program and document. */
  const gone = new Map<string, (end: Behaviour) => void>();
  const ids = new Map<string, string>();
  const service = await recordingService((_operation, { children }) => {
    const { ClientID: file = '', Description: program = '' } = Object.fromEntries(children);
    return new Promise((resolve) => gone.set(`${program} ${file}`, resolve));
  });
  const end = (p: number, d: number, how: Behaviour) => {
    const key = `${p} ${fileOf(d)}`;
    gone.get(key)?.(how);
    gone.delete(key);
  };
  const take = (p: number, d: number) => {
    const id = randomUUID();
    ids.set(`${p} ${fileOf(d)}`, id);
    return id;
  };
  return {
    service,
    isGone: (p: number, d: number) => gone.has(`${p} ${fileOf(d)}`),
    idsOf: (d: number) => [...ids].flatMap(([key, id]) => (key.endsWith(` ${fileOf(d)}`) ? [id] : [])),
    has: (p: number, d: number) => ids.has(`${p} ${fileOf(d)}`),
    end,
    take,
  };
}

interface Program {
  readonly proxy: CuttingProxy;
  readonly secrets: Map<string, string>;
  readonly connectionId: string;
  readonly batchId: string;
  readonly jobIds: readonly string[];
  core: RunningCore;
  dataDir: string;
}

const pauses = { teamLookMs: 100, teamNoticeMs: 20, serviceMs: 50 };
const start = (dataDir: string, secrets: Map<string, string>) =>
  startCore({ dataDir, keychain: memoryKeychain(secrets), pauses });

/** Programs, a register and a service that do what a trace says. */
export async function newRealTeam(postgres: TeamRegister, members: readonly boolean[], documents: number) {
  const folder = mkdtempSync(join(tmpdir(), 'sealdesk-trace-'));
  const admin = await postgres.admin();
  const adds = await patientService();
  const paths = await writePdfs(
    join(folder, 'files'),
    Array.from({ length: documents }, (_each, d) => fileOf(d)),
  );
  const keys = await Promise.all(paths.map(async (path) => sha256(await readFile(path))));
  const settingsOf = (p: number, port: number) => postgres.settings('ana', { person: `person ${p}`, port });
  const newProgram = async (p: number): Promise<Program> => {
    const proxy = await cuttingProxy(postgres.port);
    const [secrets, dataDir] = [new Map<string, string>(), join(folder, `program ${p}`)];
    const core = await start(dataDir, secrets);
    const [, baseUrl = '', , namespaceUri = '', , mainPath = '', , easySignPath = ''] = adds.service.connection;
    const timeouts = { connectMs: 5_000, idleMs: 60_000, answerMs: 60_000 };
    const addresses = {
      name: 'Service',
      baseUrl,
      namespaceUri,
      mainPath,
      easySignPath,
      proxy: { mode: 'none' } as const,
    };
    const { id: connectionId } = await core.must('connections.save', {
      settings: { ...addresses, timeouts, doubtLimit: 100 },
    });
    await core.must('connections.setCredentials', { id: connectionId, apiKey: 'key-1', apiSig: 'sig-1' });
    if (members[p]) await core.must('team.join', { connectionId, settings: settingsOf(p, proxy.port), password: '' });
    // Each job waits until the trace lets it go.
    await core.must('jobs.pause', { what: 'all' });
    const batchId = await register(core, connectionId, paths, { clientId: '{file}', description: String(p) });
    await until(async () => (await jobsOf(core, batchId)).every(({ state }) => state === 'waiting'));
    const jobs = await jobsOf(core, batchId);
    const jobIds = paths.map((_path, d) => jobs.find(({ title }) => title === fileOf(d))?.id ?? '');
    for (const jobId of jobIds) await core.must('jobs.pause', { what: 'job', jobId });
    await core.must('jobs.resume', { what: 'all' });
    return { ...{ proxy, secrets, dataDir, core }, ...{ connectionId, batchId, jobIds } };
  };
  const programs: Program[] = [];
  for (const p of members.keys()) programs.push(await newProgram(p));
  let copy: { restore(): Promise<void> } | null = null;
  const team: Team = {
    ...{ postgres, admin, adds, programs, keys, folder },
    join: async (p) => {
      const { core, connectionId, proxy } = programs[p] as Program;
      await core.must('team.join', { connectionId, settings: settingsOf(p, proxy.port), password: '' });
    },
    copy: async () => {
      copy = await backUp(admin);
    },
    restore: async () => {
      await copy?.restore();
    },
  };
  return {
    act: (action: Action, before: World) => carryOut(team, action, before.state),
    becomes: (world: World, ms: number) => becomes(team, world.state, ms),
    close: async () => {
      for (const { core } of programs) await core.stop();
      for (const { proxy } of programs) await proxy.close();
      await adds.service.close();
      await admin.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Team {
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

/** Kills a program: nothing that it does from here on is written anywhere, or arrives. */
async function crash({ programs, adds, folder }: Team, p: number): Promise<void> {
  const program = programs[p] as Program;
  const to = mkdtempSync(join(folder, 'after-crash-'));
  cpSync(program.dataDir, to, { recursive: true });
  rmSync(join(to, 'sealdesk.db-shm'), { force: true });
  program.proxy.isOff = true;
  for (const d of program.jobIds.keys()) adds.end(p, d, 'hang-up');
  await program.core.stop();
  program.dataDir = to;
}

/** Somebody at another program, who decides as a lead. */
function leadFor({ programs }: Team, p: number, state: State): Program {
  const at = state.programs.findIndex(
    ({ isUp, isMember, isOff, isAhead }, q) => q !== p && isUp && isMember && !isOff && !isAhead,
  );
  return programs[at] as Program;
}

async function claimsOf({ admin, keys }: Team, p: number, d: number) {
  return await admin.query<{ claim_id: string; state: string; document_id: string | null }>(
    `SELECT claim_id, state, document_id FROM sealdesk.claims JOIN sealdesk.programs USING (program_id) WHERE person = $1 AND claim_key = $2`,
    [`person ${p}`, keys[d] ?? ''],
  );
}

async function carryOut(team: Team, { kind, p, d }: Action, before: State): Promise<void> {
  const { programs, adds, admin, postgres } = team;
  const program = programs[p] as Program;
  const { core, proxy, connectionId, batchId, jobIds } = program;
  const jobId = jobIds[d] ?? '';
  const isCut = () => until(() => proxy.isOff, 20_000);
  const breakAt = (at: string) => {
    proxy.breaksAt = { at, when: kind.endsWith('before') ? 'before' : 'after' };
  };
  switch (kind) {
    case 'ask, send':
      return void (await core.must('jobs.resume', { what: 'job', jobId }));
    case 'ask, cut before':
    case 'ask, cut after':
      breakAt(asksFor);
      await core.must('jobs.resume', { what: 'job', jobId });
      return await isCut();
    case 'answer, done':
      return adds.end(p, d, { result: adds.take(p, d) });
    case 'report, cut before':
    case 'report, cut after':
      breakAt(reports);
      adds.end(p, d, { result: adds.take(p, d) });
      return await isCut();
    case 'answer, refused':
      return adds.end(p, d, { result: '-3' });
    case 'answer, lost after':
      adds.take(p, d);
      return adds.end(p, d, 'hang-up');
    case 'answer, lost before':
      return adds.end(p, d, 'hang-up');
    case 'crash, lost after':
      for (const at of jobIds.keys()) if (adds.isGone(p, at)) adds.take(p, at);
      return await crash(team, p);
    case 'crash':
      return await crash(team, p);
    case 'start':
      program.proxy.isOff = before.programs[p]?.isOff === true;
      program.core = await start(program.dataDir, program.secrets);
      return;
    case 'go off':
      proxy.isOff = true;
      // It finds out at its next look.
      return await until(async () => (await core.must('team.state', {})).links[0]?.state !== 'connected', 20_000);
    case 'come back':
      proxy.isOff = false;
      return;
    case 'decide without':
      return void (await core.must('team.sendWithout', { batchId }));
    case 'cancel':
      return void (await core.must('jobs.cancel', { jobId }));
    case 'decide to send':
      return void (await core.must('jobs.decide', { jobIds: [jobId], decision: 'send' }));
    case 'decide to skip':
      return void (await core.must('jobs.decide', { jobIds: [jobId], decision: 'skip' }));
    case 'settle own': {
      const [documentId] = adds.idsOf(d);
      if (documentId !== undefined) await core.must('jobs.accept', { jobId, documentId });
      else await core.must('jobs.sendAgain', { jobId });
      return;
    }
    case 'declare': {
      const lead = leadFor(team, p, before);
      await admin.query("UPDATE sealdesk.programs SET seen_at = now() - interval '1 hour' WHERE person = $1", [
        `person ${p}`,
      ]);
      for (const { claim_id: claimId, state } of await claimsOf(team, p, d))
        if (state === 'claimed')
          await lead.core.must('team.declareInDoubt', { connectionId: lead.connectionId, claimId });
      return;
    }
    case 'settle for another': {
      const lead = leadFor(team, p, before);
      const [documentId = null] = adds.idsOf(d);
      for (const { claim_id: claimId, state } of await claimsOf(team, p, d))
        if (state === 'in-doubt')
          await lead.core.must('team.settle', { connectionId: lead.connectionId, claimId, documentId });
      return;
    }
    case 'join':
      return await team.join(p);
    case 'leave':
      return void (await core.must('team.leave', { connectionId, evenUnreported: true }));
    case 'take a copy':
      return await team.copy();
    case 'restore':
      return await team.restore();
    case 'restore, closed':
      await team.restore();
      return void (await admin.query('UPDATE sealdesk.teams SET is_restored = true'));
    case 'resume': {
      const lead = await openTeamDatabase(postgres.settings('ana'), '');
      return await resumeTeam(lead, 'team').finally(() => lead.close());
    }
  }
}

const heldStates = { claimed: 'sending', doubt: 'in-doubt', done: 'done' } as const;

/** What the model says of a job, in the words of the program. */
function expectedJob(state: State, p: number, d: number): string {
  const job = state.programs[p]?.jobs[d];
  if (!job) return '';
  if (job.state === 'held')
    return `held ${heldStates[job.heldAs as keyof typeof heldStates]}${job.skips ? ', skips' : ''}`;
  if (job.state === 'skipped') return 'cancelled';
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
      const claim =
        claimStates.find((one) => rows.some((row) => row.state === one)) ?? (rows.length > 0 ? 'ended' : 'none');
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
        none: 'none',
        claimed: 'claimed',
        doubt: 'in-doubt',
        done: 'done',
        refused: 'ended',
        released: 'ended',
      };
      const live = words[claim?.state ?? 'none'];
      return `${p} ${d}: ${isUp ? expectedJob(state, p, d) : 'not up'}, claim ${live}, ${job.isPaid ? 'paid' : 'not paid'}`;
    }),
  );
  return [...found, state.isClosed ? 'closed' : 'open'];
}

/** Waits until the world is as the model says. Answers what is different at the end; null if nothing is. */
async function becomes(team: Team, state: State, ms: number): Promise<string | null> {
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
    await core.must('jobs.tryNow', { connectionId });
  }
}
