import { expect, it } from 'vitest';
import {
  atEnd,
  connect,
  newCore,
  newFolder,
  newService,
  patient,
  until,
  untilEnded,
  writePdfs,
} from '../core/jobs-setup.ts';
import { startPostgres } from '../harness/postgres.ts';

it('lists the requests that are assigned to a person, and notifies only that person', async (test) => {
  const [postgres, service, folder] = [await startPostgres(test), await newService(), await newFolder()];
  atEnd(() => postgres.close());
  const pace = { soonMs: 20, leastMs: 60, mostMs: 200, gatherMs: 50, remindMs: 50 };
  const core = await newCore({ pace, pauses: { freshCopyMs: 100, teamLookMs: 300 } });
  const connectionId = await connect(core, service, { timeouts: patient });
  await core.must('team.join', { connectionId, settings: postgres.settings('bo'), password: '' });
  const request = async (documentName: string) => {
    const [path = ''] = await writePdfs(folder, [`${documentName}.pdf`]);
    const fileToken = (await core.core.acceptPath(path)).token;
    const { batchId } = await core.must('signatures.request', {
      kind: 'plain',
      connectionId,
      fileToken,
      documentName,
      creditType: 2,
      emails: ['ayla@example.com'],
    });
    const [job] = await untilEnded(core, batchId);
    return job?.documentId ?? '';
  };
  const [lease, annex] = [await request('Lease'), await request('Annex')];
  const refresh = async () => {
    for (const listType of [1, 2]) await core.must('signatures.refresh', { connectionId, listType });
  };
  const named = async (name: string) =>
    (await core.must('tracking.groups', { connectionId })).groups.find(({ documentName }) => documentName === name)
      ?.origDocumentId ?? '';
  // A reading that had begun before the second request is taken for this one, and a fresh copy of before.
  await until(async () => {
    await refresh();
    return (await named('Lease')) !== '' && (await named('Annex')) !== '';
  }, 20_000);
  const mine = async () => (await core.must('tracking.groups', { connectionId, mine: true })).groups;
  expect(await mine()).toEqual([]);

  await core.must('team.assign', { connectionId, documentId: await named('Lease'), assignee: 'bo' });
  await core.must('team.assign', { connectionId, documentId: await named('Annex'), assignee: 'ana' });
  await until(async () => (await mine()).length === 1, 20_000);
  expect(await mine()).toMatchObject([{ documentName: 'Lease' }]);
  expect((await core.must('tracking.entries', { connectionId, mine: true })).total).toBe(1);

  // As last read, also while the register is away.
  await postgres.stop('fast');
  await until(async () => (await core.must('team.state', {})).links[0]?.state === 'away', 20_000);
  expect(await mine()).toHaveLength(1);
  await core.must('tracking.setBudget', { perHour: 3000, isAutomatic: true });
  await core.must('tracking.state', { connectionId });
  await service.control.sign(annex, 'ayla@example.com');
  await service.control.sign(lease, 'ayla@example.com');
  await until(() => core.notified.length > 0);
  await until(async () => (await core.must('tracking.entries', { connectionId, listType: 2 })).total === 2);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(core.notified.map(({ body }) => body)).toEqual(['Lease']);
});
