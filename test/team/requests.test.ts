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
  until,
  untilEnded,
  untilJobs,
  writePdfs,
} from '../core/jobs-setup.ts';
import { newTeamRegister } from '../harness/postgres.ts';

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
