import { startCore } from '../harness/core.ts';

/**
 * A member's program for tests that kill it: registers a folder (first run) and works until all of its jobs have ended or are held as a colleague's, and all
 * outcomes are reported. Environment: DATA_DIR, CONNECTION_ID, CREDENTIALS (JSON as in the keychain), FOLDER (first run only).
 */
const { DATA_DIR: dataDir = '', CONNECTION_ID: connectionId = '', CREDENTIALS: credentials = '', FOLDER } = process.env;

const core = await startCore({
  dataDir,
  keychain: {
    get: async (account) => (account === connectionId ? credentials : account === `${connectionId}.team` ? '""' : null),
    set: async () => undefined,
    remove: async () => undefined,
  },
});
process.stdout.write('started\n');
const { total } = await core.must('jobs.list', { limit: 1 });
if (FOLDER && total === 0) {
  const { token } = await core.core.acceptPath(FOLDER);
  const intake = await core.must('files.scan', { tokens: [token], purpose: 'register' });
  await core.must('documents.register', { connectionId, intakeId: intake.id, creditType: 1 });
}
process.stdout.write('ready\n');
for (;;) {
  const { counts, askingCount } = await core.must('jobs.list', { limit: 1 });
  const { links } = await core.must('team.state', {});
  const isReported = links.every(({ unreportedCount }) => unreportedCount === 0);
  if (isReported && counts.prepared + counts.waiting + counts.sending === askingCount) break;
  await new Promise((resolve) => setTimeout(resolve, 100));
}
await core.stop();
process.stdout.write('ended\n');
