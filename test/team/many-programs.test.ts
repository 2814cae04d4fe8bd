import { createHash } from 'node:crypto';
import { mkdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { atEnd, connect, newCore, newFolder, newService, writePdfs } from '../core/jobs-setup.ts';
import { copied, finished, kill, runQueue } from '../faults/fault-runs.ts';
import { type Postgres, startPostgres } from '../harness/postgres.ts';
import { type CuttingProxy, cuttingProxy } from './cutting-proxy.ts';

/** `npm run test:team` has the full length. */
const isFull = process.env.TEAM === 'full';
const size = isFull
  ? { programs: 8, files: 1_000, kills: 200, restarts: 20, crashes: 5 }
  : { programs: 3, files: 42, kills: 6, restarts: 1, crashes: 1 };
const breaks = size.restarts + size.crashes;

/** Files in as many portions as there are kills. A portion is seen by the programs once it is released, under the number of files before it. */
async function portions(folder: string) {
  const each = size.files / size.kills;
  await mkdir(join(folder, 'released'));
  const names = Array.from({ length: size.files }, (_each, n) => `${Math.floor(n / each) * each}/${n}.pdf`);
  await writePdfs(join(folder, 'kept'), names);
  return {
    files: names.map((name) => join(folder, 'released', name)),
    release: (portion: number) => {
      const name = String(portion * each);
      return rename(join(folder, 'kept', name), join(folder, 'released', name));
    },
  };
}

/** Cuts all connections and restarts the database, every few times by a crash. */
async function breakDatabase(postgres: Postgres, proxy: CuttingProxy, n: number): Promise<void> {
  proxy.delayMs = (n % 3) * 20;
  proxy.cut();
  await postgres.stop(n % (breaks / size.crashes) === 0 ? 'immediate' : 'fast');
  await sleep(200);
  await postgres.start();
}

it(`registers ${size.files} files once with ${size.programs} programs, ${size.kills} kills, ${size.restarts} restarts, ${size.crashes} crashes of the database`, async (test) => {
  const [postgres, service, folder] = [await startPostgres(test), await newService(), await newFolder()];
  atEnd(() => postgres.close());
  const proxy = await cuttingProxy(postgres.port);
  atEnd(() => proxy.close());
  service.control.misbehave({ mischief: { kind: 'delay', ms: 250 } });
  const { files, release } = await portions(folder);
  const programs = await Promise.all(
    Array.from({ length: size.programs }, async (_each, n) => {
      const core = await newCore();
      const connectionId = await connect(core, service, {
        doubtLimit: 100,
        timeouts: { connectMs: 20_000, idleMs: 60_000, answerMs: 60_000 },
      });
      const settings = postgres.settings('bo', { port: proxy.port, person: `person ${n}` });
      await core.must('team.join', { connectionId, settings, password: '' });
      const own = await copied(core.dataDir);
      await core.stop();
      const { apiKey, apiSig } = service;
      const env = {
        DATA_DIR: own,
        CONNECTION_ID: connectionId,
        CREDENTIALS: JSON.stringify({ apiKey, apiSig }),
        FOLDER: join(folder, 'released'),
      };
      return { dataDir: own, env };
    }),
  );
  const start = (n: number) => runQueue(programs[n]?.env ?? {}, '../team/program.ts');
  const running = programs.map((_each, n) => start(n));
  let killed = 0;
  let broken = Promise.resolve();
  // All is counted, not timed: there is work to do at every kill, however fast or busy the machine is.
  for (let portion = 0; portion < size.kills; portion += 1) {
    await release(portion);
    if ((portion + 1) % (size.kills / breaks) === 0) {
      const n = (portion + 1) / (size.kills / breaks);
      broken = broken.then(() => breakDatabase(postgres, proxy, n));
    }
    await sleep((portion * 137) % 300);
    const at = portion % size.programs;
    const child = running[at];
    expect(await child?.said('started')).toBe(true);
    const isKilled = child ? await kill(child) : false;
    // A program that ended by itself failed: what it said is printed.
    if (!isKilled) await child?.said('ended');
    expect(isKilled).toBe(true);
    killed += 1;
    running[at] = start(at);
  }
  await broken;
  await mkdir(join(folder, 'released/all'));
  proxy.delayMs = 0;
  const ends = await Promise.all(running.map(finished));
  expect(ends.every(Boolean)).toBe(true);

  const hashes = await Promise.all(
    files.map(async (file) =>
      createHash('sha256')
        .update(await readFile(file))
        .digest('hex'),
    ),
  );
  const taken = service.control.addsByHash();
  const admin = await postgres.admin();
  const claims = await admin.query<{ claim_key: string; state: string }>(
    "SELECT claim_key, state FROM sealdesk.claims WHERE state IN ('claimed', 'done', 'in-doubt')",
  );
  await admin.close();
  const doubts = new Set(claims.filter(({ state }) => state === 'in-doubt').map(({ claim_key }) => claim_key));
  const doubled = hashes.filter((hash) => (taken.get(hash) ?? 0) > 1).length;
  const lost = hashes.filter((hash) => !taken.has(hash) && !doubts.has(hash)).length;
  const inDoubt = [...doubts].filter((hash) => !taken.has(hash)).length;
  process.stdout.write(
    `team: ${size.programs} programs, ${hashes.length} files, ${killed} kills, ${size.restarts} restarts, ${size.crashes} crashes: adds ${[
      ...taken.values(),
    ].reduce(
      (sum, times) => sum + times,
      0,
    )}, lost ${lost}, doubled ${doubled}, doubts named ${doubts.size} (of them not sent ${inDoubt})\n`,
  );
  expect({ doubled, lost }).toEqual({ doubled: 0, lost: 0 });
  // Each file has exactly one live claim, and none is left without an outcome.
  expect(claims.length).toBe(size.files);
  expect(claims.filter(({ state }) => state === 'claimed')).toEqual([]);
});
