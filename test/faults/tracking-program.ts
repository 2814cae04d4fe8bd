import { startCore } from '../harness/core.ts';

/**
 * A separate program for a test that kills it: reads a list again and again. Environment: DATA_DIR, CONNECTION_ID, CREDENTIALS (JSON as in the
 * keychain).
 */
const { DATA_DIR: dataDir = '', CONNECTION_ID: connectionId = '', CREDENTIALS: credentials = '' } = process.env;

const core = await startCore({
  dataDir,
  keychain: {
    get: async (account) => (account === connectionId ? credentials : null),
    set: async () => undefined,
    remove: async () => undefined,
  },
});
process.stdout.write('ready\n');
for (;;) await core.must('signatures.refresh', { connectionId, listType: 1, maxItems: 0 });
