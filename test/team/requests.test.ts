import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, type TestContext } from 'vitest';
import type { SignatureRequest } from '../../contract/compose.ts';
import { openSql } from '../../electron/store/database/sql.ts';
import { migrations } from '../../electron/store/schema/migrations.ts';
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
import { type CoreSetup, memoryKeychain, type RunningCore } from '../harness/core.ts';
import { newTeamRegister } from '../harness/postgres.ts';
import { unsignedPdf } from '../harness/signed-pdf.ts';
import { makeSigner } from '../harness/signers.ts';

async function team(test: TestContext, setup: CoreSetup = {}) {
  const [postgres, service, folder] = [await newTeamRegister(test), await newService(), await newFolder()];
  atEnd(() => postgres.close());
  const join = async (user: string) => {
    const core = await newCore({ dataDir: await newFolder(), ...setup });
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
  return { service, sent, folder, ana: await join('ana'), bo: await join('bo') };
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

it.for(['another order', 'other names', 'no names'] as const)(
  'asks a person about the same request to the same people with %s that a colleague has sent',
  async (what, test) => {
    const { service, folder, ana, bo } = await team(test);
    const [lease, annex] = await writePdfs(folder, ['lease.pdf', 'annex.pdf']);
    const people: readonly (readonly [email: string, name: string])[] = [
      ['ayla@example.com', 'Ayla Poe'],
      ['Chidi@example.com', 'Chidi Roe'],
      ['dana@example.com', 'Dana Loe'],
    ];
    const others = people.map(([email, name]) => [email, what === 'other names' ? name.slice(0, 1) : name] as const);
    const again: typeof people = what === 'another order' ? others.toReversed() : others;
    const asked = (given: typeof again) => ({
      emails: given.map(([email]) => email),
      ...(what === 'no names' && given === again ? {} : { names: given.map(([, name]) => name) }),
    });
    const send = async ({ core, connectionId }: typeof ana, kind: SignatureRequest['kind'], to: typeof again) => {
      const fileToken = (await core.core.acceptPath((kind === 'plain' ? lease : annex) ?? '')).token;
      const given: Readonly<Record<SignatureRequest['kind'], SignatureRequest>> = {
        plain: { kind: 'plain', connectionId, fileToken, creditType: 2, emails: asked(to).emails },
        'easy-sign': { kind: 'easy-sign', connectionId, fileToken, ...asked(to) },
        'easy-sign-template': { kind: 'easy-sign-template', connectionId, templateId: 'TPL-1001', ...asked(to) },
      };
      return (await core.must('signatures.request', given[kind])).batchId;
    };
    for (const kind of ['plain', 'easy-sign', 'easy-sign-template'] as const) {
      await untilEnded(ana.core, await send(ana, kind, people));
      await untilJobs(bo.core, await send(bo, kind, again), ([job]) => job?.pausedBy === 'duplicate');
    }
    expect(service.control.seen().filter(({ operation }) => /^AddNew/.test(operation))).toHaveLength(3);
  },
);

it('gives its requests of an older version the keys of now at the first start, in the ledger and in the register, and tells nothing anew', async (test) => {
  const [postgres, service, keychain] = [await newTeamRegister(test), await newService(), memoryKeychain(new Map())];
  atEnd(() => postgres.close());
  const enter = async (core: RunningCore, user: string) => {
    const connectionId = await connect(core, service, {
      timeouts: { connectMs: 5_000, idleMs: 9_000, answerMs: 9_000 },
    });
    await core.must('team.join', { connectionId, settings: postgres.settings(user), password: '' });
    return connectionId;
  };
  const dataDir = await newFolder();
  const [first, bo, admin] = [await newCore({ dataDir, keychain }), await newCore(), await postgres.admin()];
  atEnd(() => admin.close());
  const [anas, bos] = [await enter(first, 'ana'), await enter(bo, 'bo')];
  const [lease = ''] = await writePdfs(await newFolder(), ['lease.pdf']);
  const template = { kind: 'easy-sign-template', templateId: 'TPL-1001', emails: ['ayla@example.com'] } as const;
  const send = async (core: RunningCore, connectionId: string, emails?: readonly string[]) => {
    const { token: fileToken } = await core.core.acceptPath(lease);
    const given: SignatureRequest = emails
      ? { kind: 'plain', connectionId, fileToken, creditType: 2, emails: [...emails] }
      : { ...template, connectionId, emails: [...template.emails] };
    return (await core.must('signatures.request', given)).batchId;
  };
  await untilEnded(first, await send(first, anas));
  service.control.misbehave({ mischief: { kind: 'drop-after' }, operation: 'AddNewDocumentESign', times: 1 });
  await untilEnded(first, await send(first, anas, ['ayla@example.com', 'chidi@example.com']));
  const isReported = async (core: RunningCore) => {
    const link = (await core.must('team.state', {})).links[0];
    return link?.state === 'connected' && link.earlier === undefined && link.unreportedCount === 0;
  };
  await until(() => isReported(first));
  await first.stop();
  // As the version before left them, other keys in both, and what the update to this one does in the ledger.
  const sql = openSql(join(dataDir, 'sealdesk.db'));
  expect(sql.run("UPDATE team_claims SET claim_key = 'before ' || claim_id")).toBe(2);
  sql.exec(migrations.find(({ version }) => version === 46)?.sql ?? '');
  sql.close();
  await admin.query("UPDATE sealdesk.claims SET claim_key = 'before ' || claim_id");
  const events = 'SELECT count(*) FROM sealdesk.events';
  const before = await admin.query(events);

  const ana = await newCore({ dataDir, keychain });
  await until(() => isReported(ana));
  expect(await admin.query("SELECT claim_key LIKE 'before%' AS is_old FROM sealdesk.claims")).toEqual([
    { is_old: false },
    { is_old: false },
  ]);
  expect(await admin.query(events)).toEqual(before);
  for (const batch of [await send(bo, bos), await send(bo, bos, ['Chidi@example.com', 'ayla@example.com'])]) {
    const [held] = await untilJobs(bo, batch, ([job]) => job?.pausedBy === 'duplicate' || job?.state === 'done');
    expect(held).toMatchObject({ pausedBy: 'duplicate', duplicateOf: { by: { person: 'ana' } } });
  }
  expect(service.control.seen().filter(({ operation }) => /^AddNew/.test(operation))).toHaveLength(2);
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
    kind: 'easy-sign',
    connectionId: ana.connectionId,
    fileToken,
    ...asked,
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

it('counts what both sent in both programs, also after a restart; what others sent with the account is no part of it', async (test) => {
  const never = { soonMs: 3_600_000, leastMs: 3_600_000, mostMs: 3_600_000 };
  const { service, folder, ana, bo } = await team(test, { pace: never, pauses: { freshCopyMs: 50 } });
  type Program = typeof ana;
  const other = await newCore({ pace: never });
  const stranger = { core: other, connectionId: await connect(other, service) };
  const send = async ({ core, connectionId }: Program, documentName: string, people: number, signed: number) => {
    const emails = Array.from({ length: people }, (_each, n) => `signer${n}@example.com`);
    const [path = ''] = await writePdfs(folder, [`${documentName}.pdf`]);
    const fileToken = (await core.core.acceptPath(path)).token;
    const given = {
      kind: 'plain' as const,
      connectionId,
      fileToken,
      documentName,
      creditType: 2 as const,
      emails,
    };
    const [job] = await untilEnded(core, (await core.must('signatures.request', given)).batchId);
    for (const email of emails.slice(0, signed)) await service.control.sign(job?.documentId ?? '', email);
    const state = signed === 0 ? 'waiting' : signed < people ? 'partly-signed' : 'complete';
    return { documentName, state, signerCount: people, signedCount: signed, isFromElsewhere: core === other };
  };
  const sent = [
    await send(ana, 'Lease 1', 3, 1),
    await send(ana, 'Lease 2', 2, 2),
    await send(ana, 'Lease 3', 1, 0),
    await send(bo, 'Lease 4', 2, 1),
    await send(bo, 'Lease 5', 1, 1),
    await send(stranger, 'Not ours', 1, 0),
  ];
  const refused = { kind: 'easy-sign-template' as const, templateId: 'none such', emails: ['ayla@example.com'] };
  await untilEnded(
    ana.core,
    (await ana.core.must('signatures.request', { ...refused, connectionId: ana.connectionId })).batchId,
  );
  const compare = async ({ core, connectionId }: Program, own: { count: number; taken: number }) => {
    const needsYou = own.count - own.taken;
    const shown = async () => {
      for (const listType of [1, 2]) await core.must('signatures.refresh', { connectionId, listType });
      const { groups } = await core.must('tracking.groups', { connectionId });
      return groups
        .filter(({ job }) => job === null)
        .map(({ documentName, state, signerCount, signedCount, isFromElsewhere }) => ({
          documentName,
          state,
          signerCount,
          signedCount,
          isFromElsewhere,
        }))
        .sort((one, two) => (one.documentName ?? '').localeCompare(two.documentName ?? ''));
    };
    await expect.poll(shown, { timeout: 20_000 }).toEqual(sent);
    const { requests } = await core.must('tracking.state', { connectionId });
    const counted = { 'needs-you': needsYou, waiting: 1, 'partly-signed': 2, complete: 2 };
    expect(requests).toEqual({ ...counted, 'not-sent': 0, 'not-known': 0, elsewhere: 1 });
    const today = new Date().toLocaleDateString('sv');
    const home = await core.must('home.summary', { connectionId, today, isHere: true });
    expect([home.waiting.count, home.sent]).toEqual([3, own]);
  };
  await compare(ana, { count: 4, taken: 3 });
  await compare(bo, { count: 2, taken: 2 });
  await bo.core.stop();
  const again = await newCore({ dataDir: bo.core.dataDir, pace: never });
  const { apiKey, apiSig } = service;
  await again.must('connections.setCredentials', { id: bo.connectionId, apiKey, apiSig });
  await compare({ ...bo, core: again }, { count: 2, taken: 2 });
});
