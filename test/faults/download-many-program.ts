import { startCore } from '../harness/core.ts';

/** A separate program for a test that kills it while it downloads many documents. Environment: as download-program.ts, with DOCUMENT_IDS (separated by commas) and FOLDER. */
const { DATA_DIR: dataDir = '', CONNECTION_ID: connectionId = '', CREDENTIALS: credentials = '' } = process.env;
const { DOCUMENT_IDS: documentIds = '', FOLDER: folder = '' } = process.env;

const core = await startCore({
  dataDir,
  keychain: {
    get: async (account) => (account === connectionId ? credentials : null),
    set: async () => undefined,
    remove: async () => undefined,
  },
});
core.dialogs.files.push([folder]);
const documents = documentIds.split(',').map((documentId) => ({ connectionId, documentId }));
const begun = await core.must('documents.downloadAll', { documents });
process.stdout.write('ready\n');
await core.untilTask('bulk-download', ({ taskId, state }) => taskId === begun?.taskId && state !== 'running');
await core.stop();
process.stdout.write('ended\n');
