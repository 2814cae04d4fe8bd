import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { connect, newCore, newFolder, newService, untilEnded, writePdfs } from '../core/jobs-setup.ts';
import { kill, runQueue } from './fault-runs.ts';
import { isFull, limitMs } from './fault-table.ts';

const rounds = isFull ? 15 : 1;

/** Runs the program until it prints that it has reached the state, and kills it. */
async function killed(env: Record<string, string>): Promise<void> {
  const child = runQueue(env, 'correction-program.ts');
  expect(await child.said('there\n')).toBe(true);
  await kill(child);
}

describe('a program that is killed between queueing and the answer', () => {
  it.each(['waiting', 'sending'] as const)(
    `loses nothing that was typed, while the job is %s (${rounds} rounds)`,
    async (until) => {
      const [service, folder, dataDir] = [await newService(), await newFolder(), await newFolder()];
      const setup = await newCore({ dataDir });
      const connectionId = await connect(setup, service);
      await setup.stop();
      const { apiKey, apiSig } = service;
      const kept = {
        [connectionId]: JSON.stringify({ apiKey, apiSig }),
        'secret-words': randomBytes(32).toString('base64'),
      };
      for (let round = 0; round < rounds; round += 1) {
        const [file = ''] = await writePdfs(folder, [`lease ${until} ${round}.pdf`]);
        if (until === 'sending') service.control.misbehave({ mischief: { kind: 'delay', ms: 60_000 } });
        await killed({
          DATA_DIR: dataDir,
          CONNECTION_ID: connectionId,
          SECRETS: JSON.stringify(kept),
          FILE: file,
          UNTIL: until,
        });
        service.control.misbehave(null);
        await rm(file);

        const secrets = new Map(Object.entries(kept));
        const core = await newCore({
          dataDir,
          keychain: {
            get: async (account) => secrets.get(account) ?? null,
            set: async (account, secret) => void secrets.set(account, secret),
            remove: async (account) => void secrets.delete(account),
          },
        });
        const [draft] = await core.must('forms.list', { place: 'draft' });
        const job = draft?.place === 'draft' ? draft.job : null;
        const jobId = job?.id ?? '';
        expect(job?.state).toBe(until === 'waiting' ? 'waiting' : 'in-doubt');
        if (until === 'waiting') await core.must('jobs.cancel', { jobId });
        const correction = await core.must('corrections.open', { jobId });
        if (correction.kind !== 'request') throw new Error('no request');
        const { content, hasSecretWord, missingFiles } = await core.must('forms.open', { id: correction.draftId });
        expect({ hasSecretWord, missingFiles }).toEqual({ hasSecretWord: true, missingFiles: [] });
        expect(content).toMatchObject({
          description: 'typed',
          recipients: [{ name: 'Ayla', email: 'ayla@example.com' }],
        });
        if (until === 'waiting') await core.must('jobs.resume', { what: 'all' });
        const { batchId } = await core.must('signatures.request', {
          kind: 'plain',
          connectionId,
          fileToken: content.fileToken ?? '',
          creditType: 2,
          description: 'corrected',
          emails: ['ayla@example.com'],
          secretOfDraft: correction.draftId,
          draftId: correction.draftId,
        });
        expect(await untilEnded(core, batchId)).toMatchObject([{ state: 'done' }]);
        expect(service.control.seen().at(-1)?.children).toMatchObject({
          Description: 'corrected',
          SecretWord: 'cucumber-4711',
        });
        expect(await core.must('forms.list', { place: 'draft' })).toEqual([]);
        expect((await core.must('jobs.list', {})).counts).toMatchObject({ 'in-doubt': 0, done: round + 1 });
        await core.stop();
      }
    },
    limitMs,
  );
});
