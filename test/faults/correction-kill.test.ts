import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { actions } from '../../hosts/cli/jobs/actions.ts';
import { connect, newCore, newFolder, newService, register, until, untilEnded, writePdfs } from '../core/jobs-setup.ts';
import { memoryKeychain } from '../harness/core.ts';
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

        const core = await newCore({ dataDir, keychain: memoryKeychain(new Map(Object.entries(kept))) });
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

describe('the correction of what was not accepted, whose program is killed while it can be taken back', () => {
  it.each([
    ['a registration in doubt', 'AddNewDocument', { kind: 'drop-after' }],
    ['a refused registration', 'AddNewDocument', { kind: 'answer', text: '-123' }],
    ['a request in doubt', 'AddNewDocumentESign', { kind: 'drop-after' }],
    ['a refused request', 'AddNewDocumentESign', { kind: 'answer', text: '-123' }],
  ] as const)(
    'waits for a person: taken back, %s has its place again, and it is sent only by that word',
    async (_what, operation, mischief) => {
      const [service, folder, dataDir] = [await newService(), await newFolder(), await newFolder()];
      const setup = await newCore({ dataDir });
      const connectionId = await connect(setup, service);
      const [file = ''] = await writePdfs(folder, ['lease.pdf']);
      service.control.misbehave({ mischief, times: 1 });
      const request = { kind: 'plain' as const, connectionId, creditType: 1, emails: ['ayla@example.com'] };
      const { batchId } =
        operation === 'AddNewDocument'
          ? { batchId: await register(setup, connectionId, [file]) }
          : await setup.must('signatures.request', {
              ...request,
              fileToken: (await setup.core.acceptPath(file)).token,
            });
      const [first] = await untilEnded(setup, batchId);
      const before = { id: first?.id, state: first?.state, failure: first?.failure, at: first?.at };
      await setup.stop();
      const { apiKey, apiSig } = service;
      const secrets = new Map([[connectionId, JSON.stringify({ apiKey, apiSig })]]);
      const keychain = memoryKeychain(secrets);
      const restarted = async () => {
        await killed({
          DATA_DIR: dataDir,
          CONNECTION_ID: connectionId,
          SECRETS: JSON.stringify(Object.fromEntries(secrets)),
          CORRECTS: before.id ?? '',
          UNTIL: 'waiting',
        });
        const core = await newCore({ dataDir, keychain });
        await until(async () => (await core.must('jobs.list', {})).countdowns[0]?.isStopped === true);
        const { jobs, countdowns } = await core.must('jobs.list', {});
        expect(jobs).toMatchObject([{ state: 'waiting', pausedBy: 'countdown-stopped', operation }]);
        expect(jobs[0]?.id).not.toBe(before.id);
        expect(countdowns).toMatchObject([
          { jobId: jobs[0]?.id, count: 1, isBesideDoubt: mischief.kind === 'drop-after' },
        ]);
        const remarks: string[] = [];
        const printer = { result: () => undefined, remark: (text: string) => remarks.push(text) };
        const list = actions.list as (session: object, run: object, ids: readonly string[]) => Promise<unknown>;
        await list({ ask: core.ask, connection: { id: connectionId } }, { values: {}, printer }, []);
        const says = 'the first may have arrived: it may be sent and charged twice';
        expect(remarks.map((one) => one.endsWith(says))).toEqual(mischief.kind === 'drop-after' ? [true] : []);
        expect(service.control.requests()[operation]).toBe(1);
        return { core, stopped: countdowns[0]?.batchId ?? '' };
      };
      const taken = await restarted();
      const back = await taken.core.must('jobs.takeBack', { batchId: taken.stopped });
      expect(back).toEqual({ jobIds: [before.id] });
      const { jobs, countdowns } = await taken.core.must('jobs.list', {});
      expect(jobs).toMatchObject([before]);
      expect(countdowns).toEqual([]);
      await taken.core.stop();

      const { core, stopped } = await restarted();
      await core.must('jobs.sendNow', { batchId: stopped });
      expect(await untilEnded(core, stopped)).toMatchObject([{ state: 'done' }]);
      expect((await core.must('jobs.list', {})).total).toBe(1);
      expect(service.control.requests()[operation]).toBe(2);
      const { children } = service.control.seen().at(-1) ?? {};
      const sent = operation === 'AddNewDocument' ? { DocumentName: 'Corrected' } : { Emails: 'corrected@example.com' };
      expect(children).toMatchObject(sent);
    },
    limitMs,
  );
});
