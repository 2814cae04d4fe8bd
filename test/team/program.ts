import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { startCore } from '../harness/core.ts';

/**
 * A member's program for tests that kill it: registers folders as they appear, each named by the number of files before it. Once the folder `all` is there, it works
 * until all of its jobs have ended or are held as a colleague's, and all outcomes are reported. Environment: DATA_DIR, CONNECTION_ID, CREDENTIALS (JSON as in
 * the keychain), FOLDER; TEAM_LOOK_MS, how often it looks at the register without a notice, for a test much more often than usual.
 */
const { DATA_DIR: dataDir = '', CONNECTION_ID: connectionId = '', CREDENTIALS: credentials = '' } = process.env;
const { FOLDER: folder = '', TEAM_LOOK_MS: teamLookMs = '300' } = process.env;

const core = await startCore({
  dataDir,
  pauses: { teamLookMs: Number(teamLookMs), serviceMs: 100 },
  keychain: {
    get: async (account) => (account === connectionId ? credentials : null),
    set: async () => undefined,
    remove: async () => undefined,
  },
});
process.stdout.write('started\n');
let isSent = false;
for (;;) {
  // Looked for first: a folder that appears afterwards is registered before `all` is seen.
  const isAll = existsSync(join(folder, 'all'));
  const { total, counts, askingCount } = await core.must('jobs.list', { limit: 1 });
  const next = join(folder, String(total));
  if (existsSync(next)) {
    const { token } = await core.core.acceptPath(next);
    const intake = await core.must('files.scan', { tokens: [token], purpose: 'register' });
    // With the file's name as the reference, a person finds the document of a lost answer at the service.
    await core.must('documents.register', { connectionId, intakeId: intake.id, creditType: 1, clientId: '{file}' });
    continue;
  }
  if (isAll && counts.prepared + counts.waiting + counts.sending === askingCount) {
    if (!isSent) process.stdout.write('sent\n');
    isSent = true;
    const { links } = await core.must('team.state', {});
    if (links.every(({ unreportedCount }) => unreportedCount === 0)) break;
  }
  await new Promise((resolve) => setTimeout(resolve, 100));
}
process.stdout.write('done\n');
await core.stop();
process.stdout.write('ended\n');
