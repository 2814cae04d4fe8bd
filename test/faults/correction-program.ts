import { startCore } from '../harness/core.ts';

/**
 * A separate program for a test that kills it: saves a draft of a request for FILE with a secret word, sends it, and prints when it has reached the
 * wanted state (UNTIL: waiting, sending). Environment: DATA_DIR, CONNECTION_ID, SECRETS (JSON of the keychain), FILE.
 */
const { DATA_DIR: dataDir = '', CONNECTION_ID: connectionId = '', SECRETS = '{}', FILE = '', UNTIL } = process.env;
const secrets = new Map(Object.entries(JSON.parse(SECRETS) as Record<string, string>));

const core = await startCore({
  dataDir,
  keychain: {
    get: async (account) => secrets.get(account) ?? null,
    set: async () => undefined,
    remove: async () => undefined,
  },
});
if (UNTIL === 'waiting') await core.must('jobs.pause', { what: 'all' });
const fileToken = (await core.core.acceptPath(FILE)).token;
const recipients = [{ name: 'Ayla', email: 'ayla@example.com' }];
const content = { kind: 'plain' as const, fileToken, creditType: 2, recipients, description: 'typed' };
const { id } = await core.must('forms.save', { place: 'draft', connectionId, content, secretWord: 'cucumber-4711' });
const { batchId } = await core.must('signatures.request', {
  kind: 'plain',
  connectionId,
  fileToken,
  creditType: 2,
  description: 'typed',
  emails: ['ayla@example.com'],
  secretOfDraft: id,
  draftId: id,
});
for (;;) {
  const [job] = (await core.must('jobs.list', { batchId })).jobs;
  if (job && job.state === UNTIL && (UNTIL === 'waiting' || job.sentBytes > 0)) break;
  await new Promise((resolve) => setTimeout(resolve, 5));
}
process.stdout.write('there\n');
