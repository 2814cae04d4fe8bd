import { describe, expect, it } from 'vitest';
import type { CallInput } from '../../contract/index.ts';
import type { CoreSetup, RunningCore } from '../harness/core.ts';
import { connect, newCore, newFolder, newService, untilEnded, writePdfs } from './jobs-setup.ts';

async function ready(setup: CoreSetup = {}) {
  const [core, service, folder] = [await newCore(setup), await newService(), await newFolder()];
  const connectionId = await connect(core, service);
  return { core, service, folder, connectionId };
}
type Ready = Awaited<ReturnType<typeof ready>>;

async function request({ core, folder, connectionId }: Ready, documentName: string, emails: readonly string[]) {
  const [path = ''] = await writePdfs(folder, [`${documentName}.pdf`]);
  const fileToken = (await core.core.acceptPath(path)).token;
  const given = { kind: 'plain' as const, connectionId, fileToken, creditType: 2, emails: [...emails], documentName };
  const [job] = await untilEnded(core, (await core.must('signatures.request', given)).batchId);
  return job?.documentId ?? '';
}

async function fromTemplate({ core, connectionId }: Ready, email: string, documentName?: string) {
  const given = { kind: 'easy-sign-template' as const, connectionId, templateId: 'TPL-1003', emails: [email] };
  const { batchId } = await core.must('signatures.request', { ...given, ...(documentName ? { documentName } : {}) });
  return (await untilEnded(core, batchId))[0];
}

async function refreshAll({ core, connectionId }: Ready) {
  for (const listType of [1, 2]) await core.must('signatures.refresh', { connectionId, listType });
}

const entriesOf = async ({ core, connectionId }: Ready, query: Partial<CallInput<'tracking.entries'>> = {}) =>
  (await core.must('tracking.entries', { connectionId, ...query })).entries;

const unlistedOf = async ({ core, connectionId }: Ready) =>
  (await core.must('tracking.unlisted', { connectionId })).requests.map(({ documentName, state, people }) => ({
    documentName,
    state,
    people,
  }));

async function until(fits: () => boolean | Promise<boolean>, ms = 8_000): Promise<void> {
  const deadline = performance.now() + ms;
  while (!(await fits())) {
    if (performance.now() > deadline) throw new Error('it did not come to that');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('the state of a signer', () => {
  it('is told by the list, without any question about a status', async () => {
    const given = await ready();
    const lease = await request(given, 'Lease', ['ana@example.com', 'bo@example.com']);
    await given.service.control.sign(lease, 'ana@example.com');
    await refreshAll(given);
    const states = (await entriesOf(given, { sort: 'email', descending: false })).map(
      ({ email, state, hasSigned, status }) => [email, state, hasSigned, status],
    );
    expect(states).toEqual([
      ['ana@example.com', 'signed', true, null],
      ['bo@example.com', 'waiting', false, null],
    ]);
    expect(given.service.control.requests().GetDocumentStatus ?? 0).toBe(0);
  });

  it('follows a status that was asked later only if it says more than the list', async () => {
    const given = await ready();
    const { core, connectionId } = given;
    await request(given, 'Lease', ['ana@example.com']);
    await refreshAll(given);
    const [entry] = await entriesOf(given);
    const entryId = entry?.id ?? '';
    await core.must('tracking.askStatus', { connectionId, entryId });
    expect((await entriesOf(given))[0]).toMatchObject({ state: 'waiting', status: { raw: 'Processing' } });
    await core.must('answers.sort', { kind: 'status', word: 'Processing', group: 'attention' });
    expect((await entriesOf(given))[0]).toMatchObject({ state: 'status', hasSigned: false });
    await core.must('answers.sort', { kind: 'status', word: 'Processing', group: 'completed' });
    expect((await entriesOf(given))[0]).toMatchObject({ state: 'status', hasSigned: true });
    // The list is read again and still has the entry: it knows better.
    await refreshAll(given);
    expect((await entriesOf(given))[0]).toMatchObject({ state: 'waiting', hasSigned: false });
  });

  it('is that of the entry in its new list after the signature, and no reminder is drafted any more', async () => {
    const given = await ready();
    const { core, service, connectionId } = given;
    const lease = await request(given, 'Lease', ['ana@example.com']);
    await refreshAll(given);
    const [waiting] = await entriesOf(given);
    const at = { connectionId, entryId: waiting?.id ?? '' };
    await core.must('tracking.draftMail', { ...at, subject: 'Lease', body: 'Please sign' });
    await service.control.sign(lease, 'ana@example.com');
    await refreshAll(given);
    const { entry } = await core.must('tracking.entry', at);
    expect(entry).toMatchObject({ email: 'ana@example.com', state: 'signed', hasSigned: true, listType: 2 });
    expect(entry.id).not.toBe(at.entryId);
    expect(await core.ask('tracking.draftMail', { ...at, subject: 'Lease', body: 'Please sign' })).toMatchObject({
      failure: { code: 'bad-input', fields: { entryId: 'has signed' } },
    });
    expect(core.shown).toHaveLength(1);
  });

  it('is published once when a reading finds a signature, whoever started the reading', async () => {
    const given = await ready();
    const { core, service, connectionId } = given;
    const lease = await request(given, 'Lease', ['ana@example.com', 'bo@example.com']);
    await refreshAll(given);
    await service.control.sign(lease, 'ana@example.com');
    await refreshAll(given);
    await refreshAll(given);
    const published = core.events.filter(({ name }) => name === 'tracking.signed').map(({ value }) => value);
    const entries = [{ who: 'ana@example.com', documentName: 'Lease' }];
    expect(published).toEqual([{ connectionId, count: 1, entries }]);
  });
});

describe('a request', () => {
  it('has all its signers with their states, whichever of them the filter found', async () => {
    const given = await ready();
    const { core, service, connectionId } = given;
    const lease = await request(given, 'Lease', ['ana@example.com', 'bo@example.com']);
    await request(given, 'Annex', ['bo@example.com']);
    await service.control.sign(lease, 'ana@example.com');
    await refreshAll(given);
    for (const filter of [{ listType: 1 }, { search: 'lease' }, { listType: 2, person: 'ana' }]) {
      const { groups } = await core.must('tracking.groups', { connectionId, ...filter });
      const found = groups.find(({ documentName }) => documentName === 'Lease');
      expect(found).toMatchObject({ entryCount: 2, signedCount: 1 });
      expect(found?.people.map(({ email, state }) => [email, state])).toEqual([
        ['ana@example.com', 'signed'],
        ['bo@example.com', 'waiting'],
      ]);
    }
  });

  it('names its first signers only', async () => {
    const given = await ready();
    const emails = Array.from({ length: 9 }, (_each, at) => `signer${at}@example.com`);
    await request(given, 'Lease', emails);
    await refreshAll(given);
    const { groups } = await given.core.must('tracking.groups', { connectionId: given.connectionId });
    expect(groups).toMatchObject([{ entryCount: 9, signedCount: 0 }]);
    expect(groups[0]?.people.map(({ email }) => email)).toEqual(emails.slice(0, 6));
  });
});

describe('a request that was just sent', () => {
  it('is there from the ledger until a list has its document, also once it is gone from there', async () => {
    const given = await ready();
    const { core, connectionId } = given;
    await request(given, 'Lease', ['ana@example.com', 'bo@example.com']);
    const people = ['ana@example.com', 'bo@example.com'].map((email) => ({ email, name: '' }));
    expect(await unlistedOf(given)).toEqual([{ documentName: 'Lease', state: 'sent', people }]);
    await refreshAll(given);
    expect(await unlistedOf(given)).toEqual([]);
    await request(given, 'Annex', ['ana@example.com']);
    expect((await unlistedOf(given)).map(({ documentName }) => documentName)).toEqual(['Annex']);
    // The list has room for one entry only: the newest.
    await core.must('signatures.refresh', { connectionId, listType: 1, maxItems: 1 });
    expect((await entriesOf(given)).map(({ documentName }) => documentName)).toEqual(['Annex']);
    expect(await unlistedOf(given)).toEqual([]);
  });

  it('is recognised by its signer if the service answered with an address', async () => {
    const given = await ready();
    expect((await fromTemplate(given, 'ana@example.com', 'Consent'))?.documentId).toBeNull();
    await refreshAll(given);
    expect(await unlistedOf(given)).toEqual([]);
    await fromTemplate(given, 'ana@example.com', 'Another consent');
    await fromTemplate(given, 'bo@example.com');
    expect((await unlistedOf(given)).map(({ documentName }) => documentName)).toEqual(['TPL-1003', 'Another consent']);
    await refreshAll(given);
    expect(await unlistedOf(given)).toEqual([]);
  });

  it('is not shown if the service refused it', async () => {
    const given = await ready();
    const { core, connectionId } = given;
    const emails = ['ana@example.com'];
    const refused = { kind: 'easy-sign-template' as const, connectionId, templateId: 'none such', emails };
    await untilEnded(core, (await core.must('signatures.request', refused)).batchId);
    expect(await unlistedOf(given)).toEqual([]);
  });

  it('has its lists read soon, although nobody opened them before', async () => {
    const given = await ready({ pace: { soonMs: 20, leastMs: 60_000, mostMs: 60_000, gatherMs: 50, remindMs: 50 } });
    const { core, connectionId } = given;
    await core.must('tracking.setBudget', { perHour: 3000, isAutomatic: true });
    await request(given, 'Lease', ['ana@example.com']);
    await until(async () => (await entriesOf(given)).length === 1);
    await until(async () =>
      (await core.must('tracking.state', { connectionId })).lists.every(({ asOf }) => asOf !== null),
    );
  });
});

describe('a request on the practice connection', () => {
  it('has its lists read soon, too', async () => {
    const core: RunningCore = await newCore({ pace: { soonMs: 20, leastMs: 60_000, mostMs: 60_000 } });
    await core.must('tracking.setBudget', { perHour: 3000, isAutomatic: true });
    const given = { core, connectionId: 'practice' } as Ready;
    await fromTemplate(given, 'ana@example.com', 'Consent');
    await until(async () => (await entriesOf(given)).length === 1);
    expect(await unlistedOf(given)).toEqual([]);
  });
});
