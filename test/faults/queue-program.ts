import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startCore } from '../harness/core.ts';

/**
 * A separate program for tests that kill it: registers a folder, once for a ledger, and works until nothing is left to do. Environment: DATA_DIR, CONNECTION_ID,
 * CREDENTIALS (JSON as in the keychain), FOLDER, AS_BYTES (files are passed as mail programs drop them), RESUMES (a held connection is resumed).
 */
const { DATA_DIR: dataDir = '', CONNECTION_ID: connectionId = '', CREDENTIALS: credentials = '', FOLDER } = process.env;

const core = await startCore({
  dataDir,
  keychain: {
    get: async (account) => (account === connectionId ? credentials : null),
    set: async () => undefined,
    remove: async () => undefined,
  },
});

// A kill may have come after the files were taken and before this was said.
if (FOLDER && (await core.must('jobs.list', { limit: 1 })).total === 0) {
  const intake = await core.must('files.scan', { tokens: await tokensOf(FOLDER), purpose: 'register' });
  process.stdout.write('registering\n');
  await core.must('documents.register', { connectionId, intakeId: intake.id, creditType: 1 });
  if (intake.fileCount !== (await readdir(FOLDER)).length) throw new Error('files are missing');
}
if (process.env.RESUMES) await core.must('jobs.resume', { what: 'connection', connectionId });
process.stdout.write('ready\n');

for (;;) {
  const { counts } = await core.must('jobs.list', { limit: 1 });
  if (counts.prepared + counts.waiting + counts.sending === 0) break;
  await new Promise((resolve) => setTimeout(resolve, 20));
}
await core.stop();
process.stdout.write('ended\n');

/** Token of the folder, or of each file in it that is passed as bytes. */
async function tokensOf(folder: string): Promise<string[]> {
  if (!process.env.AS_BYTES) return [(await core.core.acceptPath(folder)).token];
  const tokens: string[] = [];
  for (const name of await readdir(folder))
    tokens.push((await core.core.acceptStream(name, createReadStream(join(folder, name)))).token);
  return tokens;
}
