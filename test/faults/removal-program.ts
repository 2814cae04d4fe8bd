import { memoryKeychain, startCore } from '../harness/core.ts';

/**
 * A separate program for a test that kills it: removes a connection, a bulk and an audit, all of which could still be put back, and prints when it is done. Environment:
 * DATA_DIR, CONNECTION_ID, BULK_ID, AUDIT_ID.
 */
const { DATA_DIR: dataDir = '', CONNECTION_ID: id = '', BULK_ID: bulkId = '', AUDIT_ID: auditId = '' } = process.env;
const core = await startCore({ dataDir, keychain: memoryKeychain(new Map()), pauses: { undoMs: 600_000 } });
await core.must('bulk.remove', { id: bulkId });
await core.must('audits.remove', { auditId });
await core.must('connections.remove', { id });
process.stdout.write('there\n');
