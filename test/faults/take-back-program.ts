import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startCore } from '../harness/core.ts';

/**
 * A separate program for tests that kill it: sends one bulk and single requests, with a countdown, and takes some of all that it can back, each at a moment of its
 * own. With FINISH it then sends what is left and ends. Environment: DATA_DIR, CONNECTION_ID, CREDENTIALS (JSON as in the keychain), FOLDER with a file a.pdf, RUN (a
 * word that no other run has), REQUESTS, TAKE_BACK, WITHIN_MS, WAIT_SECONDS, DECIDES (what earlier runs left is sent at once), FINISH.
 */
const { DATA_DIR: dataDir = '', CONNECTION_ID: connectionId = '', CREDENTIALS: credentials = '' } = process.env;
const { FOLDER: folder = '', RUN: run = '' } = process.env;
const [requests, toTakeBack, withinMs, seconds] = [
  process.env.REQUESTS,
  process.env.TAKE_BACK,
  process.env.WITHIN_MS,
  process.env.WAIT_SECONDS,
].map(Number) as [number, number, number, number];

const core = await startCore({
  dataDir,
  waitBeforeSeconds: seconds,
  keychain: {
    get: async (account) => (account === connectionId ? credentials : null),
    set: async () => undefined,
    remove: async () => undefined,
  },
});
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const open = async () => (await core.must('jobs.list', { states: ['prepared', 'waiting'], limit: 500 })).jobs;

async function sendAll(): Promise<void> {
  for (;;) {
    const { countdowns } = await core.must('jobs.list', { limit: 1 });
    if (countdowns.length === 0) return;
    for (const { batchId } of countdowns) await core.must('jobs.sendNow', { batchId });
  }
}

async function takeBackOne(): Promise<void> {
  const jobs = await open();
  const job = jobs[Math.floor(Math.random() * jobs.length)];
  if (!job) return;
  for (const jobId of (await core.must('jobs.takeBack', { jobIds: [job.id] })).jobIds)
    process.stdout.write(`taken ${jobId}\n`);
}

if (process.env.DECIDES) await sendAll();
process.stdout.write('ready\n');
if (requests > 0) {
  const table = join(folder, `${run}.csv`);
  const inBulk = Math.ceil(requests / 2);
  await writeFile(
    table,
    ['E-mail', ...Array.from({ length: inBulk }, (_each, n) => `${run}-b${n}@example.com`)].join('\n'),
  );
  const tableToken = (await core.core.acceptPath(table)).token;
  const content = { kind: 'easy-sign-template', templateId: 'TPL-1001' } as const;
  const { id } = await core.must('bulk.check', { connectionId, tableToken, content });
  await core.must('bulk.send', { id, rows: 'all', perMinute: 6_000 });
  const { token: fileToken } = await core.core.acceptPath(join(folder, 'a.pdf'));
  for (let n = 0; n < requests - inBulk; n += 1) {
    const emails = [`${run}-s${n}@example.com`];
    const given = { kind: 'plain' as const, connectionId, fileToken, creditType: 1, emails };
    await core.must('signatures.request', { ...given, documentName: `${run} ${n}` });
  }
}
await Promise.all(
  Array.from({ length: toTakeBack }, async () => {
    await sleep(Math.random() * withinMs);
    await takeBackOne();
  }),
);
process.stdout.write('over\n');
while (!process.env.FINISH) await sleep(1_000);
for (;;) {
  await sendAll();
  const { counts } = await core.must('jobs.list', { limit: 1 });
  const bulks = await core.must('bulk.list', {});
  // A run that was killed between its check and its sending leaves a bulk that is only checked.
  if (
    counts.prepared + counts.waiting + counts.sending === 0 &&
    bulks.every(({ state }) => state === 'finished' || state === 'checked')
  )
    break;
  await sleep(50);
}
await core.stop();
process.stdout.write('ended\n');
