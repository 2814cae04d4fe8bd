import { startCore } from '../harness/core.ts';

/**
 * A separate program for a test that kills it: sends a table (TABLE, first run only) or continues it, until every row is done. Environment: DATA_DIR,
 * CONNECTION_ID, CREDENTIALS (JSON as in the keychain), TABLE.
 */
const { DATA_DIR: dataDir = '', CONNECTION_ID: connectionId = '', CREDENTIALS: credentials = '', TABLE } = process.env;

const core = await startCore({
  dataDir,
  keychain: {
    get: async (account) => (account === connectionId ? credentials : null),
    set: async () => undefined,
    remove: async () => undefined,
  },
});
if (TABLE && (await core.must('bulk.list', {})).length === 0) {
  const tableToken = (await core.core.acceptPath(TABLE)).token;
  const content = { kind: 'easy-sign-template', templateId: 'TPL-1001' } as const;
  const { id } = await core.must('bulk.check', { connectionId, tableToken, content });
  await core.must('bulk.send', { id, rows: 'all', perMinute: 6000 });
}
process.stdout.write('ready\n');
for (;;) {
  const [bulk] = await core.must('bulk.list', {});
  if (bulk?.state === 'finished') break;
  await new Promise((resolve) => setTimeout(resolve, 50));
}
await core.stop();
process.stdout.write('ended\n');
