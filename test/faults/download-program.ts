import { startCore } from '../harness/core.ts';

/** A separate program for a test that kills it while it downloads. Environment: as queue-program.ts, and DOCUMENT_ID, TARGET. */
const { DATA_DIR: dataDir = '', CONNECTION_ID: connectionId = '', CREDENTIALS: credentials = '' } = process.env;
const { DOCUMENT_ID: documentId = '', TARGET: target = '' } = process.env;

const core = await startCore({
  dataDir,
  keychain: {
    get: async (account) => (account === connectionId ? credentials : null),
    set: async () => undefined,
    remove: async () => undefined,
  },
});
await core.core.downloadTo(connectionId, documentId, target);
process.stdout.write('ready\n');
