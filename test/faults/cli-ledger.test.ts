import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { openSync } from 'node:fs';
import { copyFile, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, newCore, newService, register, untilJobs, writePdfs } from '../core/jobs-setup.ts';
import { buildCommandLine, type CommandLine, type Ran } from '../harness/command-line.ts';
import { isFull, limitMs, recordFault, waitMs } from './fault-table.ts';

type Service = Awaited<ReturnType<typeof newService>>;
/** A job in the list of the command line. */
type Entry = { readonly jobId: string; readonly state: string };

const rounds = isFull ? 30 : 1;

describe('command lines on one ledger', { timeout: limitMs }, () => {
  let cli: CommandLine;
  beforeAll(async () => {
    cli = await buildCommandLine();
  }, limitMs);
  afterAll(() => cli.remove());

  const envOf = ({ apiKey, apiSig }: Service) => ({ SEALDESK_API_KEY: apiKey, SEALDESK_API_SIG: apiSig });
  const addressOf = ({ baseUrl, namespaceUri, mainPath, easySignPath }: Service) => [
    ...['--url', baseUrl, '--namespace', namespaceUri],
    ...['--main-path', mainPath, '--easy-sign-path', easySignPath],
  ];
  let count = 0;
  /** A folder of files that nobody has sent before. */
  async function freshFiles(files: number): Promise<string> {
    count += 1;
    const folder = join(cli.home, `files-${count}`);
    await mkdir(folder);
    await writePdfs(
      folder,
      Array.from({ length: files }, (_, n) => `${n}.pdf`),
    );
    return folder;
  }
  const adds = async (service: Service, folder: string, files: number) => {
    const taken = service.control.addsByHash();
    return Promise.all(
      Array.from({ length: files }, async (_, n) => {
        const bytes = await readFile(join(folder, `${n}.pdf`));
        return taken.get(createHash('sha256').update(bytes).digest('hex')) ?? 0;
      }),
    );
  };
  const began = (service: Service, requests: number) =>
    expect
      .poll(() => service.control.requests().AddNewDocument ?? 0, { timeout: waitMs })
      .toBeGreaterThanOrEqual(requests);
  /** A command that is killed once the slow service has begun to get the first file. */
  async function killedRegister(service: Service, folder: string): Promise<void> {
    service.control.misbehave({ mischief: { kind: 'delay', ms: 300 } });
    await cli.run(['register', folder, '--send-duplicates', ...addressOf(service)], {
      env: envOf(service),
      meanwhile: (child) => void began(service, 1).then(() => child.kill('SIGKILL')),
    });
    service.control.misbehave(null);
  }
  const linesOf = ({ lines }: Ran) => new Map(lines.map((line) => [line.file as string, line]));
  /** Expects exactly one line for every file, and a document in every line that says ok. */
  const expectTold = (ran: Ran, folder: string, files: number) => {
    expect(ran.lines.map(({ file }) => file).sort(), ran.err).toEqual(
      Array.from({ length: files }, (_, n) => join(folder, `${n}.pdf`)).sort(),
    );
    for (const line of ran.lines)
      if (line.ok) expect(line.documentId, JSON.stringify(line)).toEqual(expect.any(String));
  };

  it('create one connection for an address, even if several use it first at the same moment', async () => {
    const files = 4;
    let [done, lost, doubled] = [0, 0, 0];
    for (let round = 0; round < rounds; round += 1) {
      const service = await newService();
      service.control.misbehave({ mischief: { kind: 'delay', ms: 100 } });
      const folder = await freshFiles(files);
      const programs = isFull ? 4 + (round % 5) : 4;
      const ran = await Promise.all(
        Array.from({ length: programs }, () =>
          cli.run(['register', folder, '--json', ...addressOf(service)], { env: envOf(service) }),
        ),
      );
      for (const one of ran) {
        expect(one, one.err).toMatchObject({ code: 0 });
        expectTold(one, folder, files);
      }
      for (const times of await adds(service, folder, files)) {
        if (times > 0) done += 1;
        else lost += 1;
        if (times > 1) doubled += 1;
      }
      await service.close();
    }
    recordFault({ fault: 'first use of an address', injected: rounds, jobs: rounds * files, done, lost, doubled });
    expect({ done, lost, doubled }).toEqual({ done: rounds * files, lost: 0, doubled: 0 });
  });

  it('send the jobs of a killed one when the files are given again, and report ok only for registered files', async () => {
    const files = 8;
    let [injected, inDoubt, lost, doubled] = [0, 0, 0, 0];
    for (let round = 0; round < rounds; round += 1) {
      const service = await newService();
      const folder = await freshFiles(files);
      const words = ['register', folder, '--json', ...addressOf(service)];
      service.control.misbehave({ mischief: { kind: 'delay', ms: 150 } });
      const { code } = await cli.run(words, {
        env: envOf(service),
        meanwhile: (child) => void began(service, 1 + (round % 6)).then(() => child.kill('SIGKILL')),
      });
      if (code === null) injected += 1;
      service.control.misbehave(null);
      const again = await cli.run(words, { env: envOf(service) });
      expectTold(again, folder, files);
      const lines = linesOf(again);
      for (const [n, times] of (await adds(service, folder, files)).entries()) {
        const line = lines.get(join(folder, `${n}.pdf`));
        if (times > 1) doubled += 1;
        if (!line?.ok) inDoubt += 1;
        if (times === 0 && line?.ok !== false) lost += 1;
        if (!line?.ok) expect(line?.failure).toMatchObject({ code: 'outcome-unknown' });
      }
      expect(again.code).toBe(again.lines.every(({ ok }) => ok) ? 0 : 3);
      await service.close();
    }
    recordFault({
      fault: 'kill -9, files given again',
      injected,
      jobs: rounds * files,
      done: rounds * files - inDoubt,
      inDoubt,
      lost,
      doubled,
    });
    expect(injected).toBeGreaterThan(0);
    expect({ lost, doubled }).toEqual({ lost: 0, doubled: 0 });
  });

  describe('beside the open app', () => {
    const dataDir = () => join(cli.home, '.config/Sealdesk/data');
    async function openApp(service: Service, name: string) {
      const app = await newCore({ dataDir: dataDir(), host: 'desktop' });
      const connectionId = await connect(app, service, { name });
      return { app, connectionId };
    }
    async function batchOf({ app, connectionId }: Awaited<ReturnType<typeof openApp>>): Promise<string> {
      const found = () =>
        app
          .must('jobs.batches', {})
          .then(({ batches }) => batches.find((batch) => batch.connectionId === connectionId)?.batchId);
      await expect.poll(found, { timeout: waitMs }).toBeDefined();
      return (await found()) ?? '';
    }

    it('the app continues the jobs of a killed command line without a restart', async () => {
      const files = 8;
      const service = await newService();
      const { app, connectionId } = await openApp(service, 'Killed');
      const folder = await freshFiles(files);
      service.control.misbehave({ mischief: { kind: 'delay', ms: 300 } });
      await cli.run(['register', folder, '--json', '--connection', 'Killed'], {
        env: envOf(service),
        meanwhile: (child) => void began(service, 3).then(() => child.kill('SIGKILL')),
      });
      service.control.misbehave(null);
      const batchId = await batchOf({ app, connectionId });
      const jobs = await untilJobs(app, batchId, (all) =>
        all.every(({ state }) => state === 'done' || state === 'in-doubt'),
      );
      expect(jobs).toHaveLength(files);
      expect(Math.max(...(await adds(service, folder, files)))).toBe(1);
    });

    it('the app does not send files again that were given again since: a person is asked', async () => {
      const files = 8;
      const service = await newService();
      const before = await openApp(service, 'Overtaken');
      await before.app.stop();
      const folder = await freshFiles(files);
      const words = ['register', folder, '--send-duplicates', '--json', '--connection', 'Overtaken'];
      service.control.misbehave({ mischief: { kind: 'delay', ms: 300 } });
      await cli.run(words, {
        env: envOf(service),
        meanwhile: (child) => void began(service, 2).then(() => child.kill('SIGKILL')),
      });
      service.control.misbehave(null);
      const left = (await adds(service, folder, files)).map((times) => times === 0);
      expect(await cli.run(words, { env: envOf(service) })).toMatchObject({ code: 0 });
      const app = await newCore({ dataDir: dataDir(), host: 'desktop' });
      const { apiKey, apiSig } = service;
      await app.must('connections.setCredentials', { id: before.connectionId, apiKey, apiSig });
      const settled = async () => {
        const { counts, askingCount } = await app.must('jobs.list', {});
        return counts.prepared + counts.sending === 0 && counts.waiting === askingCount && askingCount > 0;
      };
      await expect.poll(settled, { timeout: waitMs }).toBe(true);
      const times = await adds(service, folder, files);
      expect(times.filter((_, n) => left[n])).toEqual(left.filter(Boolean).map(() => 1));
      const { jobs } = await app.must('jobs.list', { asking: true });
      await app.must('jobs.decide', { jobIds: jobs.map(({ id }) => id), decision: 'skip' });
    });

    it.each<[string, boolean]>([
      ['the queue is paused', true],
      ['the batch is cancelled', false],
    ])('%s in the app: a line for every file', async (what, isPause) => {
      const files = 8;
      const service = await newService();
      const opened = await openApp(service, what);
      const { app } = opened;
      const folder = await freshFiles(files);
      service.control.misbehave({ mischief: { kind: 'delay', ms: 400 } });
      const running = cli.run(['register', folder, '--json', '--connection', what], { env: envOf(service) });
      await began(service, 1);
      if (isPause) await app.must('jobs.pause', { what: 'all' });
      else await app.must('jobs.cancelWaiting', { batchId: await batchOf(opened) });
      const ran = await running;
      if (isPause) await app.must('jobs.resume', { what: 'all' });
      expect(ran, ran.err).toMatchObject({ code: 1 });
      expectTold(ran, folder, files);
      const sent = (await adds(service, folder, files)).reduce((sum, times) => sum + times, 0);
      expect(ran.lines.filter(({ ok }) => ok)).toHaveLength(sent);
      expect(sent).toBeLessThan(files);
      for (const { ok, failure } of ran.lines) if (!ok) expect(failure).toMatchObject({ code: 'cancelled' });
    });

    it('prints a line for every file of a batch that is paused and resumed in the app and taken off the list', async () => {
      const files = 6;
      const service = await newService();
      const opened = await openApp(service, 'Resumed');
      const { app } = opened;
      const folder = await freshFiles(files);
      service.control.misbehave({ mischief: { kind: 'delay', ms: 200 } });
      const running = cli.run(['register', folder, '--json', '--connection', 'Resumed'], { env: envOf(service) });
      await began(service, 1);
      const batchId = await batchOf(opened);
      await app.must('jobs.pause', { what: 'batch', batchId });
      const jobs = await untilJobs(app, batchId, (all) =>
        all.every(({ state }) => state !== 'sending' && state !== 'prepared'),
      );
      const done = jobs.filter(({ state }) => state === 'done').map(({ id }) => id);
      if (done.length > 0) await app.must('jobs.dismiss', { jobIds: done });
      await app.must('jobs.resume', { what: 'batch', batchId });
      const ran = await running;
      expect(ran, ran.err).toMatchObject({ code: 0 });
      expectTold(ran, folder, files);
    });
  });

  it('leaves to a person what the countdown of an app kept back that ended, also when the same files are given again', async () => {
    const [files, service] = [3, await newService()];
    const [folder, env] = [await freshFiles(files), envOf(service)];
    const home = { dataDir: join(cli.home, '.config/Sealdesk/data'), host: 'desktop' } as const;
    const app = await newCore({ ...home, waitBeforeSeconds: 60 });
    const connectionId = await connect(app, service, { name: 'Counting' });
    const paths = Array.from({ length: files }, (_, n) => join(folder, `${n}.pdf`));
    const batchId = await register(app, connectionId, paths);
    await untilJobs(app, batchId, (jobs) => jobs.every(({ state }) => state === 'waiting'));
    await app.stop();
    const words = ['register', folder, '--json', '--connection', 'Counting'];
    const again = await cli.run(words, { env });
    expectTold(again, folder, files);
    expect(again, again.err).toMatchObject({ code: 1 });
    for (const { failure } of again.lines)
      expect(failure).toMatchObject({ note: expect.stringContaining(`"sealdesk-cli jobs resume --batch ${batchId}"`) });
    const next = await newCore(home);
    const left = await untilJobs(next, batchId, (jobs) => jobs.every(({ state }) => state === 'waiting'));
    expect(left.map(({ pausedBy }) => pausedBy)).toEqual(left.map(() => 'countdown-stopped'));
    // Sent all the same beside it: what only waits was not sent before.
    const beside = await cli.run([...words, '--send-duplicates'], { env });
    expect(beside, beside.err).toMatchObject({ code: 0 });
    expect(beside.err).toContain('sent, though the same was in the queue as well (0.pdf)');
    expect(await adds(service, folder, files)).toEqual([1, 1, 1]);
  });

  it('sealdesk-cli jobs settles the jobs of a killed command line', async () => {
    const files = 5;
    const service = await newService();
    const folder = await freshFiles(files);
    const env = envOf(service);
    const jobs = (...words: string[]) => cli.run(['jobs', ...words, '--json', ...addressOf(service)], { env });
    await killedRegister(service, folder);
    const entries = async () => (await jobs('list')).lines[0]?.entries as readonly Entry[];
    expect(await entries()).toHaveLength(files);
    expect(service.control.requests().AddNewDocument).toBeLessThanOrEqual(2);
    const [first] = (await entries()).filter(({ state }) => state === 'waiting' || state === 'prepared');
    expect(await jobs('cancel', first?.jobId ?? '')).toMatchObject({ code: 0 });
    const resumed = await jobs('resume', '--all');
    expect(resumed.lines.length, resumed.err).toBe(files - 1);
    expect(await adds(service, folder, files)).not.toContain(2);
    const [doubt] = await entries();
    expect(doubt).toMatchObject({ state: 'in-doubt' });
    expect(resumed.code).toBe(3);
    const id = doubt?.jobId ?? '';
    const looked = (await jobs('look', id)).lines[0];
    expect(looked).toMatchObject({ details: { questions: [{ operation: 'ValidateDocument', failure: null }] } });
    const before = service.control.requests().AddNewDocument;
    expect(await jobs('send-again', id)).toMatchObject({ code: 2, out: '' });
    expect(service.control.requests().AddNewDocument).toBe(before);
    expect(await jobs('accept', id, '6f9619ff-8b86-d011-b42d-00cf4fc964ff', '--unchecked')).toMatchObject({ code: 0 });
    expect((await entries()).filter(({ state }) => state === 'in-doubt')).toHaveLength(
      resumed.lines.filter(({ ok }) => !ok).length - 1,
    );
  });

  it('sealdesk-cli jobs resume leaves to a person what was registered from another file meanwhile', async () => {
    const [files, service] = [4, await newService()];
    const [folder, copies, env] = [await freshFiles(files), await freshFiles(0), envOf(service)];
    const jobs = (...words: string[]) => cli.run(['jobs', ...words, '--json', ...addressOf(service)], { env });
    await killedRegister(service, folder);
    for (const [n, times] of (await adds(service, folder, files)).entries())
      if (times === 0) await copyFile(join(folder, `${n}.pdf`), join(copies, `${n}.pdf`));
    expect(await cli.run(['register', copies, '--send-duplicates', ...addressOf(service)], { env })).toMatchObject({
      code: 0,
    });
    const [{ entries = [] } = {}] = (await jobs('list')).lines as { entries?: readonly Entry[] }[];
    const left = entries.filter(({ state }) => state === 'waiting' || state === 'prepared');
    const resumed = await jobs('resume', ...left.map(({ jobId }) => jobId));
    expect(resumed, resumed.err).toMatchObject({ code: 1 });
    expect(resumed.lines).toHaveLength(left.length);
    for (const { failure } of resumed.lines)
      expect(failure).toMatchObject({ code: 'cancelled', note: expect.stringContaining('jobs decide --send|--skip') });
    expect(await adds(service, folder, files)).toEqual(Array.from({ length: files }, () => 1));
    const skipped = await jobs('decide', '--skip', '--all');
    expect(skipped, skipped.err).toMatchObject({ code: 0 });
  });

  it.each<[string, string]>([
    ['a full disk', '/dev/full'],
    ['a closed pipe', ''],
  ])('%s under stdout stops no work: it is reported once, and the exit code is not 0', async (_what, path) => {
    const files = 6;
    const service = await newService();
    const folder = await freshFiles(files);
    const [program = '', ...words] = cli.words(['register', folder, '--json', ...addressOf(service)]);
    const child = spawn(program, words, {
      env: { ...process.env, ...envOf(service), HOME: cli.home, XDG_CONFIG_HOME: join(cli.home, '.config') },
      stdio: ['ignore', path === '' ? 'pipe' : openSync(path, 'w'), 'pipe'],
    });
    child.stdout?.destroy();
    let err = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      err += text;
    });
    const code = await new Promise((done) => child.on('close', done));
    expect(await adds(service, folder, files)).toEqual(Array.from({ length: files }, () => 1));
    expect(code).toBe(6);
    expect(err.match(/cannot be written/g)).toHaveLength(1);
    expect(err).not.toMatch(/\n\s+at |Error:/);
    await rm(folder, { recursive: true });
  });
});
