import { execFile } from 'node:child_process';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Bridge } from '../contract/index.ts';
import type { QueueState } from '../contract/jobs.ts';
import { type RunningCore, startCore } from '../test/harness/core.ts';
import { ask } from '../test/harness/desktop-bridge.ts';
import { answerOpenDialogs, startDesktop } from '../test/harness/electron.ts';
import { hashOf, interleaved, startPeer, timed, writeSmallFiles } from './harness.ts';

/** From a chosen file to the answer of the service, whole: files are looked at, copied, hashed, noted on the disk and sent. */

const exec = promisify(execFile);
const namespaceUri = 'https://bench.example/ns/';
const credentials = { apiKey: 'bench-key', apiSig: 'bench-signature' };
const commandLine = join(import.meta.dirname, '../dist/cli/sealdesk.js');
const blockBytes = 768 * 1024;
const block = Buffer.from(Uint8Array.from({ length: blockBytes }, (_, at) => (at * 7919) >> 5));

/** `copy`: the least besides what curl does. A copy that is hashed and on the disk. */
type Way = 'curl' | 'copy' | OurWay;
type OurWay = 'core' | 'window' | 'commandLine';

/** A PDF of about so many MiB that is equal to no other, and of another size, as people's files are; or in base64 what would be sent of it. */
async function writeFile(path: string, mebibytes: number, mark: number, isEncoded = false): Promise<void> {
  const file = await open(path, 'w');
  for (let left = mebibytes * 1024 * 1024 + mark; left > 0; left -= blockBytes) {
    const part = Buffer.from(block.subarray(0, Math.min(left, blockBytes)));
    part.write(`%PDF-1.4\n% ${mark} ${left}\n`);
    await file.write(isEncoded ? Buffer.from(part.toString('base64')) : part);
  }
  await file.sync();
  await file.close();
}

/** The calls of a running program, by its core or by the bridge of its window. */
type Must = RunningCore['must'];

/** Resolves when so many jobs are done, as the events of a bridge say: calls that ask again and again would take a tenth of the time. A page can run it, too. */
const untilDone = (onEvent: Bridge['onEvent'], count: number) =>
  new Promise<void>((resolve) => {
    const stop = onEvent((name, value) => {
      if (name !== 'jobs.changed' || (value as QueueState).counts.done < count) return;
      stop();
      resolve();
    });
  });

/** What a program needs once, and how it registers a file that was chosen there. */
async function registering(must: Must, done: (count: number) => Promise<void>, baseUrl: string) {
  const address = { baseUrl, mainPath: '/sink', easySignPath: '/sink', proxy: { mode: 'none' as const } };
  const settings = { name: 'Service', namespaceUri, ...address };
  const { id: connectionId } = await must('connections.save', { settings });
  await must('connections.setCredentials', { id: connectionId, ...credentials });
  let count = 0;
  return async (tokens: string[]) => {
    count += tokens.length;
    const isDone = done(count);
    const intake = await must('files.scan', { tokens, purpose: 'register' });
    await must('documents.register', { connectionId, intakeId: intake.id, creditType: 1 });
    await isDone;
  };
}

/** The window in real Electron, where it is to be measured. A file is chosen in a dialog that answers at once. */
async function openWindow(folder: string, baseUrl: string) {
  const desktop = await startDesktop({ home: join(folder, 'home') });
  const must: Must = (name, input) => ask(desktop, name, input);
  const isDone = (count: number) => desktop.page.evaluate<void>(`(${untilDone})(window.bridge.onEvent, ${count})`);
  const register = await registering(must, isDone, baseUrl);
  return {
    send: async (paths: readonly string[]) => {
      await answerOpenDialogs(desktop.app, [paths]);
      const files = (await must('files.choose', { kind: 'any' })) ?? [];
      await register(files.map(({ token }) => token));
    },
    close: () => desktop.quit(),
  };
}

/** A running core, a command line and curl at the same service, which takes everything; with `hasWindow` the window, too. */
export async function openAnswers(folder: string, hasWindow = false) {
  const server = await startPeer('server.ts');
  const core = await startCore({ dataDir: join(folder, 'data') });
  const isDone = (count: number) => untilDone(core.core.onEvent, count);
  const register = await registering(core.must, isDone, server.told);
  const window = hasWindow ? await openWindow(folder, server.told) : null;
  const { apiKey: SEALDESK_API_KEY, apiSig: SEALDESK_API_SIG } = credentials;
  const folders = { HOME: folder, XDG_CONFIG_HOME: folder, APPDATA: folder, LOCALAPPDATA: folder };
  const env = { ...process.env, ...folders, SEALDESK_API_KEY, SEALDESK_API_SIG };
  const target = ['--url', server.told, '--namespace', namespaceUri, '--main-path', '/sink'];
  const ours: Record<OurWay, (paths: readonly string[]) => Promise<unknown>> = {
    core: async (paths) =>
      register((await Promise.all(paths.map((path) => core.core.acceptPath(path)))).map(({ token }) => token)),
    window: async (paths) => window?.send(paths),
    commandLine: (paths) =>
      exec(process.execPath, [commandLine, 'register', ...paths, ...target], { env, maxBuffer: 2 ** 30 }),
  };
  const ways = {
    curl: (path: string) => exec('curl', ['-s', '-X', 'POST', '-o', '/dev/null', '-T', path, `${server.told}/sink`]),
    copy: (path: string) => hashOf(path, { copy: `${path}.copy` }),
  };
  return {
    /** Times of so many rounds, in ms, of the whole programs; curl sends a ready body. One more of each goes before. */
    measure: async (rounds: number, mebibytes: number, given: readonly Way[]) => {
      const place = join(folder, String(mebibytes));
      await mkdir(place);
      const isOurs = (way: Way): way is OurWay => way !== 'curl' && way !== 'copy';
      const pathOf = (way: Way, round: number) => join(place, `${way} ${isOurs(way) ? round : 0}.pdf`);
      let mark = 0;
      for (const way of given.filter(isOurs))
        for (let round = -1; round < rounds; round += 1) await writeFile(pathOf(way, round), mebibytes, ++mark);
      await writeFile(pathOf('copy', 0), mebibytes, 0);
      await writeFile(pathOf('curl', 0), mebibytes, 0, true);
      // As people's files, they lie there for longer than the tick of a clock: newer ones are read twice.
      await sleep(1_100);
      const turn = (way: Way) => async (round: number) => {
        const path = pathOf(way, round);
        if (!isOurs(way)) return timed(() => ways[way](path));
        const tookMs = await timed(() => ours[way]([path]));
        await rm(path);
        return tookMs;
      };
      for (const way of given) await turn(way)(-1);
      const times = await interleaved(rounds, Object.fromEntries(given.map((way) => [way, turn(way)])));
      await rm(place, { recursive: true });
      return times as Record<Way, readonly number[]>;
    },
    /** Milliseconds in which so many small files are registered. */
    many: async (count: number, way: OurWay) => {
      const paths = await writeSmallFiles(join(folder, `small, ${way}`), count, way);
      await sleep(1_100);
      return timed(() => ours[way](paths));
    },
    close: async () => {
      await window?.close();
      await core.stop();
      await server.stop();
    },
  };
}
