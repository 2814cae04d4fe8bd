import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openTeamDatabase } from '../../../electron/core/team/database.ts';
import { resumeTeam } from '../../../electron/core/team/init-team.ts';
import { jobsOf, register, until, writePdfs } from '../../core/jobs-setup.ts';
import { sha256 } from '../../faults/fault-runs.ts';
import { memoryKeychain, startCore } from '../../harness/core.ts';
import type { TeamRegister } from '../../harness/postgres.ts';
import { cuttingProxy } from '../cutting-proxy.ts';
import { backUp } from '../restore-in-place.ts';
import { fileOf, patientService } from './patient-service.ts';
import { becomes, claimsOf, type Program, type Team } from './real-world.ts';
import type { State } from './state.ts';
import type { Action, World } from './traces.ts';

/** Requests to the register by the names of their statements, as they are on the wire: the text is there only when a connection uses one for the first time. */
const asksFor = '\0claim';
const reports = '\0report\0';

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
    await until(async () => (await jobsOf(core, batchId)).every(({ state }) => state === 'waiting'), 60_000);
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
    postgres,
    admin,
    adds,
    programs,
    keys,
    folder,
    join: async (p) => {
      const { core, connectionId, proxy } = programs[p] as Program;
      await core.must('team.join', { connectionId, settings: settingsOf(p, proxy.port), password: '' });
    },
    copy: async () => {
      copy = await backUp(admin);
    },
    restore: async () => {
      // In the model each program has looked by now.
      await sleep(5 * pauses.teamLookMs);
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

async function carryOut(team: Team, { kind, p, d }: Action, before: State): Promise<void> {
  const { programs, adds, admin, postgres } = team;
  const program = programs[p] as Program;
  const { core, proxy, connectionId, batchId, jobIds } = program;
  const jobId = jobIds[d] ?? '';
  const isCut = () => until(() => proxy.isOff, 20_000);
  const stateNow = async () => (await core.must('team.state', {})).links[0]?.state ?? '';
  /** It finds out at its next look. */
  const isAway = () => until(async () => (await stateNow()) === 'away', 20_000);
  const breakAt = (at: string) => {
    proxy.breaksAt = { at, when: kind.endsWith('before') ? 'before' : 'after' };
  };
  /** As for going off: what was decided without the register may still leave until it finds out. */
  const isBack = async (at = p) => {
    const { isMember, isOff } = before.programs[at] as State['programs'][number];
    if (!isMember || (isOff && kind !== 'come back')) return;
    const { core, connectionId } = programs[at] as Program;
    await core.must('team.tryNow', { connectionId });
    const links = async () => (await core.must('team.state', {})).links;
    const notYet = ['away', 'connecting', kind === 'resume' ? 'closed' : ''];
    await until(async () => !notYet.includes((await links())[0]?.state ?? ''), 20_000);
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
      return await isBack();
    case 'go off':
      proxy.isOff = true;
      return await isAway();
    case 'come back':
      proxy.isOff = false;
      return before.programs[p]?.isUp ? await isBack() : undefined;
    case 'decide without':
      await isAway();
      return void (await core.must('team.sendWithout', { batchId }));
    case 'cancel':
      return void (await core.must('jobs.cancel', { jobId }));
    case 'decide to send':
      return void (await core.must('jobs.decide', { jobIds: [jobId], decision: 'send' }));
    case 'decide to skip':
      return void (await core.must('jobs.decide', { jobIds: [jobId], decision: 'skip' }));
    case 'settle own': {
      const [documentId] = adds.idsOf(d);
      if (documentId !== undefined) await core.must('jobs.accept', { jobId, documentId, isUnchecked: true });
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
      await resumeTeam(lead, 'team').finally(() => lead.close());
      // In the model each program has looked by now: until it has, the register is closed for it, also for what a lead decides there.
      for (const [at, { isUp }] of before.programs.entries()) if (isUp) await isBack(at);
      return;
    }
  }
}
