import { startCore } from '../harness/core.ts';

/** A separate program for a test that kills it while it verifies FILES (separated by commas) and asks for all statuses. Other environment: as download-program.ts. */
const {
  DATA_DIR: dataDir = '',
  CONNECTION_ID: connectionId = '',
  CREDENTIALS: credentials = '',
  FILES = '',
} = process.env;

const core = await startCore({
  dataDir,
  keychain: {
    get: async (account) => (account === connectionId ? credentials : null),
    set: async () => undefined,
    remove: async () => undefined,
  },
});
const tokens = await Promise.all(FILES.split(',').map(async (path) => (await core.core.acceptPath(path)).token));
const { id: intakeId } = await core.must('files.scan', { tokens, purpose: 'verify' });
await core.must('verify.start', { connectionId, intakeId });
await core.must('documents.refreshStatuses', { connectionId });
process.stdout.write('ready\n');
