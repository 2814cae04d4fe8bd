import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, type TestContext } from 'vitest';
import type { SignatureRequest } from '../../contract/signatures.ts';
import {
  atEnd,
  connect,
  jobsOf,
  newCore,
  newFolder,
  newService,
  scan,
  until,
  untilEnded,
  untilJobs,
  writePdfs,
} from '../core/jobs-setup.ts';
import { newTeamRegister } from '../harness/postgres.ts';
import { unsignedPdf } from '../harness/signed-pdf.ts';
import { makeSigner } from '../harness/signers.ts';

async function team(test: TestContext) {
  const [postgres, service, folder] = [await newTeamRegister(test), await newService(), await newFolder()];
  atEnd(() => postgres.close());
  const join = async (user: string) => {
    const core = await newCore();
    const timeouts = { connectMs: 5_000, idleMs: 90_000, answerMs: 90_000 };
    const connectionId = await connect(core, service, { timeouts });
    await core.must('team.join', { connectionId, settings: postgres.settings(user), password: '' });
    return { core, connectionId };
  };
  const sent = (operation: string) =>
    service.control
      .seen()
      .filter((one) => one.operation === operation)
      .map(({ children }) => children);
  return { sent, folder, ana: await join('ana'), bo: await join('bo') };
}

it('sends an Easy Sign request from a template once for the team, and one to somebody else', async (test) => {
  const { sent, ana, bo } = await team(test);
  const send = async ({ core, connectionId }: typeof ana, email: string) => {
    const given: SignatureRequest = {
      kind: 'easy-sign-template',
      connectionId,
      templateId: 'TPL-1001',
      emails: [email],
    };
    return (await core.must('signatures.request', given)).batchId;
  };
  await untilEnded(ana.core, await send(ana, 'ayla@example.com'));
  await untilJobs(bo.core, await send(bo, 'Ayla@Example.COM'), ([job]) => job?.pausedBy === 'duplicate');
  await untilEnded(bo.core, await send(bo, 'chidi@example.com'));
  const requests = sent('AddNewEasySignTemplate').map(({ TemplateID, Emails }) => `${TemplateID} ${Emails}`);
  expect(requests).toEqual(['TPL-1001 ayla@example.com', 'TPL-1001 chidi@example.com']);
});

it('finds a colleague’s document in a file that comes back, and whom the colleague asked to sign it', async (test) => {
  const { folder, ana, bo } = await team(test);
  const plain = unsignedPdf({ text: 'Lease 2027' });
  const [original, back] = [join(folder, 'lease.pdf'), join(folder, 'back.pdf')];
  await writeFile(original, plain.bytes);
  await writeFile(
    back,
    plain.sign({ signer: makeSigner({ key: 'p256', name: 'A. Poe', emails: ['AYLA@example.com'] }) }).bytes,
  );
  const { token: fileToken } = await ana.core.core.acceptPath(original);
  const asked = { emails: ['ayla@example.com', 'chidi@example.com'], names: ['Ayla Poe', 'Chidi Roe'] };
  const { batchId } = await ana.core.must('signatures.request', {
    ...{ kind: 'easy-sign', connectionId: ana.connectionId, fileToken, ...asked },
  });
  const [job] = await untilEnded(ana.core, batchId);
  const verified = async () => {
    const { id: intakeId } = await scan(bo.core, [back], 'verify');
    const { runId } = await bo.core.must('verify.start', { connectionId: bo.connectionId, intakeId });
    await bo.core.untilTask('verification', ({ progress: { run } }) => run.runId === runId && run.state === 'finished');
    return (await bo.core.must('verify.results', { runId })).results[0];
  };
  await until(async () => (await bo.core.must('documents.list', {})).total > 0, 20_000);
  expect(await verified()).toMatchObject({
    origin: { sizeBytes: plain.bytes.length, signaturesAfter: 1, registered: { documentId: job?.documentId } },
    askedAndFound: {
      documentId: job?.documentId,
      asked: [
        { email: 'ayla@example.com', found: 'email' },
        { email: 'chidi@example.com', found: null },
      ],
    },
  });
});

it('sends each row of a table once for the team, and holds the rows that a colleague has sent', async (test) => {
  const { sent, folder, ana, bo } = await team(test);
  const [document = ''] = await writePdfs(folder, ['lease.pdf']);
  const send = async ({ core, connectionId }: typeof ana, people: readonly string[]) => {
    const table = join(folder, 'people.csv');
    await writeFile(
      table,
      ['E-mail,Name', ...people.map((name) => `${name}@example.com,${name.toLowerCase()}`)].join('\n'),
    );
    const tableToken = (await core.core.acceptPath(table)).token;
    const fileToken = (await core.core.acceptPath(document)).token;
    const content = { kind: 'easy-sign', fileToken, messageToSigners: 'Hello', idVerify: false } as const;
    const { id } = await core.must('bulk.check', { connectionId, tableToken, content });
    await core.must('bulk.send', { id, rows: 'all', perMinute: 6_000 });
  };
  await send(ana, ['ayla', 'chidi', 'dana']);
  await until(async () => (await jobsOf(ana.core)).filter(({ state }) => state === 'done').length === 3, 20_000);
  await send(bo, ['Chidi', 'erik', 'Ayla', 'dana']);
  await until(async () => {
    const jobs = await jobsOf(bo.core);
    const held = jobs.filter(({ pausedBy }) => pausedBy === 'duplicate');
    return held.length === 3 && jobs.filter(({ state }) => state === 'done').length === 1;
  }, 20_000);
  const people = sent('AddNewEasySignDocument').map(({ Emails }) => String(Emails).split('@')[0]);
  expect(people.sort()).toEqual(['ayla', 'chidi', 'dana', 'erik']);
});
