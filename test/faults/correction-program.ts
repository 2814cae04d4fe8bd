import { memoryKeychain, startCore } from '../harness/core.ts';

/**
 * A separate program for tests that kill it: saves a draft of a request for FILE with a secret word, sends it, and prints when it has reached the
 * wanted state (UNTIL: waiting, sending). With the id of a job (CORRECTS) it sends the correction of that one instead, and prints while it counts down.
 * Environment: DATA_DIR, CONNECTION_ID, SECRETS (JSON of the keychain), FILE.
 */
const { DATA_DIR: dataDir = '', CONNECTION_ID: connectionId = '', SECRETS = '{}', FILE = '', UNTIL } = process.env;
const { CORRECTS: corrects } = process.env;
const secrets = new Map(Object.entries(JSON.parse(SECRETS) as Record<string, string>));

const core = await startCore({
  dataDir,
  ...(corrects !== undefined && { waitBeforeSeconds: 60 }),
  keychain: memoryKeychain(secrets),
});
async function send(): Promise<string> {
  if (UNTIL === 'waiting') await core.must('jobs.pause', { what: 'all' });
  const fileToken = (await core.core.acceptPath(FILE)).token;
  const recipients = [{ name: 'Ayla', email: 'ayla@example.com' }];
  const content = { kind: 'plain' as const, fileToken, creditType: 2, recipients, description: 'typed' };
  const { id } = await core.must('forms.save', { place: 'draft', connectionId, content, secretWord: 'cucumber-4711' });
  const sent = await core.must('signatures.request', {
    kind: 'plain',
    connectionId,
    fileToken,
    creditType: 2,
    description: 'typed',
    emails: ['ayla@example.com'],
    secretOfDraft: id,
    draftId: id,
  });
  return sent.batchId;
}

async function sendCorrection(jobId: string): Promise<string> {
  const correction = await core.must('corrections.open', { jobId });
  if (correction.kind === 'register') {
    const tokens = [correction.file?.token ?? ''];
    const { id: intakeId } = await core.must('files.scan', { tokens, purpose: 'register' });
    const given = { connectionId, creditType: 1, name: 'Corrected', intakeId, corrects: jobId };
    return (await core.must('documents.register', given)).batchId;
  }
  if (correction.kind !== 'request') throw new Error('no request');
  const { content } = await core.must('forms.open', { id: correction.draftId });
  const sent = await core.must('signatures.request', {
    kind: 'plain',
    connectionId,
    fileToken: content.fileToken ?? '',
    creditType: 1,
    emails: ['corrected@example.com'],
    draftId: correction.draftId,
  });
  return sent.batchId;
}

const batchId = corrects === undefined ? await send() : await sendCorrection(corrects);
for (;;) {
  const [job] = (await core.must('jobs.list', { batchId })).jobs;
  if (job && job.state === UNTIL && (UNTIL === 'waiting' || job.sentBytes > 0)) break;
  await new Promise((resolve) => setTimeout(resolve, 5));
}
process.stdout.write('there\n');
