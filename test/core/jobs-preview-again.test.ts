import { expect, it } from 'vitest';
import { connect, newCore, newFolder, newService, untilEnded, writePdfs } from './jobs-setup.ts';

it('sending again is told with its cost and everybody whom it mails, each person once', async () => {
  const [core, service, folder] = [await newCore(), await newService(), await newFolder()];
  const connectionId = await connect(core, service);
  await core.must('jobs.pause', { what: 'all' });
  const [path = ''] = await writePdfs(folder, ['Lease.pdf']);
  const fileToken = (await core.core.acceptPath(path)).token;
  const easySign = { kind: 'easy-sign' as const, connectionId, fileToken, names: ['Ana Petrov', 'Bo Lindqvist'] };
  const emails = ['ana.petrov@example.org', 'bo@lindqvist.example'];
  const copies = { ccEmails: ['office@harbour.example'], idVerify: true };
  const first = await core.must('signatures.request', { ...easySign, emails, ...copies });
  const second = await core.must('signatures.request', {
    kind: 'plain',
    connectionId,
    fileToken,
    creditType: 2,
    emails: ['ANA.petrov@example.org', 'mei@example.org'],
    ownerSigns: true,
  });
  for (const { jobId } of [first, second]) await core.must('jobs.cancel', { jobId });
  await untilEnded(core, second.batchId);
  const sent = service.control.seen().length;

  expect(await core.must('jobs.previewAgain', { jobIds: [first.jobId] })).toEqual({
    credits: 0,
    requests: 1,
    notes: 0,
    peopleCount: 3,
    prepaidCount: 0,
    idChecks: 2,
    people: [
      { name: 'Ana Petrov', email: 'ana.petrov@example.org' },
      { name: 'Bo Lindqvist', email: 'bo@lindqvist.example' },
      { name: '', email: 'office@harbour.example' },
    ],
  });
  const both = await core.must('jobs.previewAgain', { jobIds: [first.jobId, second.jobId, 'none'] });
  expect(both).toMatchObject({ credits: 1, requests: 1, peopleCount: 5, prepaidCount: 1, idChecks: 2 });
  expect(await core.must('jobs.previewAgain', { batchId: first.batchId })).toMatchObject({ requests: 0, people: [] });
  expect(service.control.seen()).toHaveLength(sent);
});
