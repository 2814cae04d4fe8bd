import { mkdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { atEnd, newFolder, newService, writePdfs } from '../core/jobs-setup.ts';
import { finished, kill, sha256 } from '../faults/fault-runs.ts';
import { type Postgres, startPostgres } from '../harness/postgres.ts';
import { atLength } from '../harness/test-length.ts';
import { type CuttingProxy, cuttingProxy } from './cutting-proxy.ts';
import { newProgram } from './programs.ts';
import { doubtsOf, settleDoubt, untilReported } from './settle-doubts.ts';

/** `npm run test:team` has the full length. */
const size = atLength({
  short: { programs: 2, files: 12, kills: 4, restarts: 1, crashes: 1 },
  ci: { programs: 3, files: 18, kills: 6, restarts: 1, crashes: 1 },
  all: { programs: 8, files: 1_000, kills: 200, restarts: 20, crashes: 5 },
});
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
    Array.from({ length: size.programs }, (_each, n) =>
      newProgram(
        service,
        postgres.settings('bo', { port: proxy.port, person: `person ${n}` }),
        join(folder, 'released'),
      ),
    ),
  );
  const running = programs.map((program) => program.start());
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
    const [child, program] = [running[at], programs[at]];
    if (!child || !program) throw new Error('no program');
    expect(await child.said('started')).toBe(true);
    const isKilled = await kill(child);
    // A program that ended by itself failed: what it said is printed.
    if (!isKilled) await child.said('ended');
    expect(isKilled).toBe(true);
    killed += 1;
    running[at] = program.start();
  }
  await broken;
  await mkdir(join(folder, 'released/all'));
  proxy.delayMs = 0;
  const ends = await Promise.all(running.map(finished));
  expect(ends.every(Boolean)).toBe(true);

  const pathOf = new Map<string, string>();
  for (const path of files) pathOf.set(sha256(await readFile(path)), path);
  const admin = await postgres.admin();
  atEnd(() => admin.close());
  const claims = () =>
    admin.query<{ claim_key: string; state: string }>(
      "SELECT claim_key, state FROM sealdesk.claims WHERE state IN ('claimed', 'done', 'in-doubt') ORDER BY claim_key",
    );
  // Before a person has decided: each file has one claim with an outcome, and what the service does not have is named in doubt.
  const before = await claims();
  expect(before.map(({ claim_key }) => claim_key)).toEqual([...pathOf.keys()].sort());
  const inRegister = before.filter(({ state }) => state === 'in-doubt').map(({ claim_key }) => claim_key);
  expect(before.filter(({ state }) => state === 'claimed')).toEqual([]);
  const had = service.control.addsByHash();
  expect([...pathOf.keys()].filter((hash) => !had.has(hash) && !inRegister.includes(hash))).toEqual([]);

  service.control.misbehave(null);
  const named: string[] = [];
  const settled = { 'was sent': 0, 'was not sent': 0 };
  for (const program of programs) {
    const core = await program.startHere();
    for (const doubt of await doubtsOf(core)) {
      named.push(doubt.sha256 ?? '');
      settled[await settleDoubt(core, service, doubt, pathOf.get(doubt.sha256 ?? '') ?? '')] += 1;
    }
    await untilReported(core);
    await core.stop();
  }
  const taken = service.control.addsByHash();
  const adds = [...taken.values()].reduce((sum, times) => sum + times, 0);
  const lost = [...pathOf.keys()].filter((hash) => !taken.has(hash)).length;
  const doubled = [...taken.values()].filter((times) => times > 1).length;
  const run = `${size.programs} programs, ${size.files} files, ${killed} kills, ${size.restarts} restarts, ${size.crashes} crashes`;
  const doubts = `doubts named ${named.length} (settled with the ID ${settled['was sent']}, sent again ${settled['was not sent']})`;
  process.stdout.write(`team: ${run}: adds ${adds}, lost ${lost}, doubled ${doubled}, ${doubts}\n`);
  expect(named.sort()).toEqual(inRegister);
  expect({ adds, lost, doubled }).toEqual({ adds: size.files, lost: 0, doubled: 0 });
  expect((await claims()).map(({ claim_key, state }) => [claim_key, state])).toEqual(
    before.map(({ claim_key }) => [claim_key, 'done']),
  );
});
