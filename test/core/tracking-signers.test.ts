import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { settingsOfConnection } from '../../contract/connections.ts';
import type { CallInput } from '../../contract/index.ts';
import { openSql } from '../../electron/store/database/sql.ts';
import type { CoreSetup, RunningCore } from '../harness/core.ts';
import { listEntry, listNamespace, startListService } from '../harness/list-service.ts';
import { atEnd, connect, newCore, newFolder, newService, until, untilEnded, writePdfs } from './jobs-setup.ts';

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

async function fromTemplate(
  { core, connectionId }: Pick<Ready, 'core' | 'connectionId'>,
  email: string,
  documentName?: string,
) {
  const given = { kind: 'easy-sign-template' as const, connectionId, templateId: 'TPL-1003', emails: [email] };
  const { batchId } = await core.must('signatures.request', { ...given, ...(documentName ? { documentName } : {}) });
  return (await untilEnded(core, batchId))[0];
}

/** A service whose lists are the test's own. */
async function withLists() {
  const [core, service] = [await newCore(), await startListService()];
  atEnd(service.close);
  const paths = { mainPath: '/main.asmx', easySignPath: '/easy.asmx', namespaceUri: listNamespace };
  const settings = { name: 'Lists', baseUrl: service.baseUrl, proxy: { mode: 'none' as const }, ...paths };
  const { id: connectionId } = await core.must('connections.save', { settings });
  await core.must('connections.setCredentials', { id: connectionId, apiKey: 'key-for-tests', apiSig: 'sig-for-tests' });
  return { core, service, connectionId };
}

async function refreshAll({ core, connectionId }: Pick<Ready, 'core' | 'connectionId'>) {
  for (const listType of [1, 2]) await core.must('signatures.refresh', { connectionId, listType });
}

async function setLists(
  { core, connectionId }: Ready,
  lists: CallInput<'connections.save'>['settings']['lists'],
): Promise<void> {
  const { connections } = await core.must('connections.state', {});
  const found = connections.find(({ id }) => id === connectionId);
  if (!found) throw new Error('no such connection');
  const settings = settingsOfConnection(found);
  await core.must('connections.save', { id: found.id, settings: { ...settings, lists } });
}

const entriesOf = async ({ core, connectionId }: Ready, query: Partial<CallInput<'tracking.entries'>> = {}) =>
  (await core.must('tracking.entries', { connectionId, ...query })).entries;

const groupsOf = async ({ core, connectionId }: Ready, query: Partial<CallInput<'tracking.groups'>> = {}) =>
  (await core.must('tracking.groups', { connectionId, ...query })).groups;

/** Name, state and signers with theirs, the newest first. */
const shownOf = async (given: Ready) =>
  (await groupsOf(given)).map(({ documentName, state, signers }) => [
    documentName,
    state,
    ...signers.map((signer) => `${signer.email} ${signer.state}${signer.entry ? '' : ', not listed'}`),
  ]);

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

  it('is not asked of a list for a reminder: who was asked comes from what was sent, until it is known that he signed', async () => {
    const given = await ready();
    const { core, service, connectionId } = given;
    const lease = await request(given, 'Lease', ['Ana@example.com', 'bo@example.com']);
    const write = (requestId: string, email: string) =>
      core.ask('tracking.draftMail', { connectionId, requestId, email, subject: 'Lease', body: 'Please sign' });
    const [own] = await groupsOf(given);
    const id = own?.id ?? '';
    expect(await write(id, 'ana@example.com')).toMatchObject({ ok: true });
    // The list has room for the next request only: the two are in none.
    await refreshAll(given);
    await request(given, 'Annex', ['cy@example.com']);
    await core.must('signatures.refresh', { connectionId, listType: 1, maxItems: 1 });
    expect(await shownOf(given)).toContainEqual([
      ...['Lease', 'not-known', 'Ana@example.com not-known, not listed', 'bo@example.com not-known, not listed'],
    ]);
    expect(await write(id, 'bo@example.com')).toMatchObject({ ok: true });
    expect(core.shown.map((address) => address.split('?')[0])).toEqual([
      'mailto:Ana@example.com',
      'mailto:bo@example.com',
    ]);
    const status = await core.must('tracking.askRequestStatus', { connectionId, documentId: lease });
    expect((await groupsOf(given)).find((group) => group.id === id)?.status).toEqual(status);
    // Nobody who was not asked by it, and of no other connection.
    expect(await write(id, 'cy@example.com')).toMatchObject({ failure: { code: 'not-found' } });
    const elsewhere = { connectionId: 'practice', requestId: id, email: 'bo@example.com', subject: 'Lease', body: '' };
    expect(await core.ask('tracking.draftMail', elsewhere)).toMatchObject({ failure: { code: 'not-found' } });
    await service.control.sign(lease, 'bo@example.com');
    await refreshAll(given);
    expect(await write(id, 'bo@example.com')).toMatchObject({ failure: { code: 'bad-input' } });
    expect(core.shown).toHaveLength(2);
  });

  it('is what the connection says of its lists, at once after it is changed', async () => {
    const given = await ready();
    const { core, service, connectionId } = given;
    const lease = await request(given, 'Lease', ['ana@example.com', 'bo@example.com']);
    await service.control.sign(lease, 'ana@example.com');
    await refreshAll(given);
    const seen = async () => {
      const people = (await entriesOf(given, { sort: 'email', descending: false })).map(({ state }) => state);
      const { groups } = await core.must('tracking.groups', { connectionId });
      const { requests } = await core.must('find.all', { connectionId, text: 'Lease' });
      return [...people, groups[0]?.signedCount, requests[0]?.signedCount];
    };
    expect(await seen()).toEqual(['signed', 'waiting', 1, 1]);
    await setLists(given, [
      { value: 1, name: 'Done', meaning: 'signed' },
      { value: 2, name: 'Archive', meaning: 'none' },
    ]);
    expect(await seen()).toEqual(['listed', 'signed', 1, 1]);
    expect((await core.must('tracking.state', { connectionId })).lists.map(({ meaning }) => meaning)).toEqual([
      'signed',
      'none',
    ]);
    // Numbers without a meaning, as older versions stored them and scripts send them.
    await setLists(given, [
      { value: 2, name: 'Signed' },
      { value: 1, name: 'Out for signature' },
      { value: 3, name: 'Archive' },
    ]);
    expect(await seen()).toEqual(['signed', 'waiting', 1, 1]);
    expect((await core.must('tracking.state', { connectionId })).lists[2]).toMatchObject({ meaning: 'none' });
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
      expect(found).toMatchObject({ signerCount: 2, signedCount: 1 });
      expect(found?.signers.map(({ email, state }) => [email, state])).toEqual([
        ['ana@example.com', 'signed'],
        ['bo@example.com', 'waiting'],
      ]);
    }
  });

  it('is counted once, in the one state that it has; the lists count their signers', async () => {
    const given = await ready();
    const { core, service, connectionId } = given;
    const lease = await request(given, 'Lease', ['ana@example.com', 'bo@example.com', 'mei@example.com']);
    await request(given, 'Annex', ['bo@example.com']);
    const countsOf = async () => {
      const { requests, lists } = await core.must('tracking.state', { connectionId });
      return [requests.waiting, requests['partly-signed'], requests.complete, ...lists.map(({ total }) => total)];
    };
    expect(await countsOf()).toEqual([0, 0, 0, 0, 0]);
    await refreshAll(given);
    expect(await countsOf()).toEqual([2, 0, 0, 4, 0]);
    await service.control.sign(lease, 'ana@example.com');
    await refreshAll(given);
    expect(await countsOf()).toEqual([1, 1, 0, 3, 1]);
    for (const email of ['bo@example.com', 'mei@example.com']) await service.control.sign(lease, email);
    await refreshAll(given);
    expect(await countsOf()).toEqual([1, 0, 1, 1, 3]);
  });

  it('keeps the time of a signature after the change was seen; without an earlier reading there is none', async () => {
    const given = await ready();
    const { core, service, connectionId } = given;
    const signedTimes = async () =>
      (await core.must('tracking.entries', { connectionId, listType: 2 })).entries.map(({ signedAt }) => signedAt);
    const early = await request(given, 'Annex', ['bo@example.com']);
    await service.control.sign(early, 'bo@example.com');
    await refreshAll(given);
    expect(await signedTimes()).toEqual([null]);
    const lease = await request(given, 'Lease', ['ana@example.com']);
    await refreshAll(given);
    await service.control.sign(lease, 'ana@example.com');
    await refreshAll(given);
    const [seen] = await signedTimes();
    expect(seen).toMatch(/^\d{4}-/);
    await core.must('tracking.look', { connectionId });
    expect(await signedTimes()).toEqual([seen, null]);
  });

  it('has changes that nobody looked at also once they left a list that is cut, until somebody looks', async () => {
    const given = await ready();
    const { core, service, connectionId } = given;
    const { connections } = await core.must('connections.state', {});
    const found = connections.find(({ id }) => id === connectionId) ?? expect.fail('no such connection');
    const settings = { ...settingsOfConnection(found), maxItems: 1 };
    await core.must('connections.save', { id: connectionId, settings });
    const changes = async () => {
      const { lists, unlistedChanges } = await core.must('tracking.state', { connectionId });
      const groups = await groupsOf(given, { changedOnly: true });
      return {
        names: groups.map(({ documentName, changedCount }) => `${documentName} ${changedCount}`).sort(),
        listed: lists.reduce((sum, one) => sum + one.newCount + one.movedCount, 0),
        unlistedChanges,
      };
    };
    await refreshAll(given);
    for (const name of ['Lease', 'Annex', 'Deed']) {
      const id = await request(given, name, ['ana@example.com', 'bo@example.com']);
      await refreshAll(given);
      await service.control.sign(id, 'ana@example.com');
      await refreshAll(given);
    }
    expect(await changes()).toEqual({ names: ['Annex 1', 'Deed 1', 'Lease 1'], listed: 1, unlistedChanges: 2 });
    await core.must('tracking.look', { connectionId });
    expect(await changes()).toEqual({ names: [], listed: 0, unlistedChanges: 0 });
    const id = await request(given, 'Will', ['ana@example.com']);
    await refreshAll(given);
    await service.control.sign(id, 'ana@example.com');
    await refreshAll(given);
    await request(given, 'Offer', ['ana@example.com']);
    expect(await changes()).toEqual({ names: ['Will 1'], listed: 1, unlistedChanges: 0 });
  });

  it('has the name of any of its entries where others have an empty one', async () => {
    const { core, service, connectionId } = await withLists();
    service.entries = ['', 'Lease'].map((name) =>
      listEntry({ DocumentName: name, OrigServiceDocumentID: 'doc-1', Email: `${name}ana@example.com` }),
    );
    await core.must('signatures.refresh', { connectionId, listType: 1 });
    const { groups } = await core.must('tracking.groups', { connectionId });
    expect(groups).toMatchObject([{ documentName: 'Lease', signerCount: 2 }]);
  });

  it('names its first signers only', async () => {
    const given = await ready();
    const emails = Array.from({ length: 9 }, (_each, at) => `signer${at}@example.com`);
    await request(given, 'Lease', emails);
    await refreshAll(given);
    const { groups } = await given.core.must('tracking.groups', { connectionId: given.connectionId });
    expect(groups).toMatchObject([{ signerCount: 9, signedCount: 0 }]);
    expect(groups[0]?.signers.map(({ email }) => email)).toEqual(emails.slice(0, 6));
  });
});

describe('a request that was just sent', () => {
  it('is there from the ledger, before a list has it and once it is gone from there', async () => {
    const given = await ready();
    const { core, connectionId } = given;
    await request(given, 'Lease', ['ana@example.com', 'bo@example.com']);
    const people = ['ana@example.com waiting', 'bo@example.com waiting'];
    const nobody = ['ana@example.com', 'bo@example.com'].map((one) => `${one} not-known, not listed`);
    expect(await shownOf(given)).toEqual([['Lease', 'not-known', ...nobody]]);
    await refreshAll(given);
    expect(await shownOf(given)).toEqual([['Lease', 'waiting', ...people]]);
    await request(given, 'Annex', ['ana@example.com']);
    const annex = async () => (await shownOf(given)).find(([name]) => name === 'Annex');
    // Read before it was sent, or since and cut: either says nothing of whom it does not have.
    expect(await annex()).toEqual(['Annex', 'not-known', 'ana@example.com not-known, not listed']);
    await core.must('signatures.refresh', { connectionId, listType: 2, maxItems: 1 });
    expect(await annex()).toEqual(['Annex', 'not-known', 'ana@example.com not-known, not listed']);
    // The list has room for one of the two: who is left there still waits, also in a register where an older program said otherwise.
    await core.must('signatures.refresh', { connectionId, listType: 1, maxItems: 2 });
    const counts = async () => (await core.must('tracking.state', { connectionId })).requests;
    expect(await counts()).toMatchObject({ waiting: 2, 'not-known': 0 });
    expect((await groupsOf(given, { request: 'waiting' })).map((one) => one.hasUnknown)).toEqual([false, true]);
    const sql = openSql(join(core.dataDir, 'sealdesk.db'));
    sql.run("UPDATE requests SET state = 'not-known' WHERE name = 'Lease'");
    sql.run("UPDATE settings SET value = json_remove(value, '$[0]') WHERE key LIKE 'requests.%'");
    sql.close();
    expect(await counts()).toMatchObject({ waiting: 2, 'not-known': 0 });
    // The list has room for one entry only: the newest.
    await core.must('signatures.refresh', { connectionId, listType: 1, maxItems: 1 });
    expect((await entriesOf(given)).map(({ documentName }) => documentName)).toEqual(['Annex']);
    expect(await shownOf(given)).toEqual([
      ['Annex', 'waiting', 'ana@example.com waiting'],
      ['Lease', 'not-known', ...['ana', 'bo'].map((who) => `${who}@example.com not-known, not listed`)],
    ]);
    const [, lease] = await groupsOf(given);
    expect(lease?.signers.map(({ at }) => at)).toEqual([expect.any(String), expect.any(String)]);
  });

  const checks = {
    'of the request': async ({ core, connectionId }: Ready, documentId: string) =>
      (await core.must('tracking.askRequestStatus', { connectionId, documentId })).raw,
    'of all documents': async ({ core, connectionId }: Ready, documentId: string) => {
      await core.must('documents.refreshStatuses', { connectionId });
      await until(async () => (await core.must('tasks.list', {})).every(({ state }) => state !== 'running'));
      return (await core.must('documents.history', { connectionId, documentId })).statuses.at(-1)?.raw;
    },
  };
  it.each(Object.entries(checks))(
    'is complete once a check %s says so, although no list shows its signers',
    async (_of, check) => {
      const given = await ready();
      const { core, service, connectionId } = given;
      const documentId = await request(given, 'Lease', ['ana@example.com']);
      await refreshAll(given);
      const annex = await request(given, 'Annex', ['bo@example.com']);
      await service.control.sign(documentId, 'ana@example.com');
      await core.must('signatures.refresh', { connectionId, listType: 1 });
      expect(await shownOf(given)).toContainEqual(['Lease', 'not-known', 'ana@example.com not-known, not listed']);
      await until(async () => (await check(given, documentId)) === 'Completed');
      expect(await shownOf(given)).toContainEqual(['Lease', 'complete', 'ana@example.com signed, not listed']);
      // Where the list has one who waits, the next reading shows which of them is right.
      await service.control.sign(annex, 'bo@example.com');
      const asked = async () => await core.must('tracking.askRequestStatus', { connectionId, documentId: annex });
      await until(async () => (await asked()).raw === 'Completed');
      expect(await shownOf(given)).toContainEqual(['Annex', 'waiting', 'bo@example.com waiting']);
      expect((await core.must('tracking.state', { connectionId })).requests).toMatchObject({ waiting: 1, complete: 1 });
    },
  );

  it('is not complete by an older answer once a list had a signer who waits, also after that list has lost them', async () => {
    const { core, service, connectionId } = await withLists();
    await fromTemplate({ core, connectionId }, 'ana@example.com', 'Consent');
    const listed = [listEntry({ DocumentName: 'Consent', OrigServiceDocumentID: 'its-own', Email: 'ana@example.com' })];
    const state = async () => (await core.must('tracking.groups', { connectionId })).groups.map((group) => group.state);
    const read = async (entries: readonly string[]) => {
      service.entries = entries;
      await refreshAll({ core, connectionId });
      return await state();
    };
    expect(await read(listed)).toEqual(['waiting']);
    expect(await read([])).toEqual(['not-known']);
    service.status = 'Completed';
    await core.must('tracking.askRequestStatus', { connectionId, documentId: 'its-own' });
    expect(await state()).toEqual(['complete']);
    expect(await read(listed)).toEqual(['waiting']);
    expect(await read([])).toEqual(['not-known']);
    await core.must('tracking.askRequestStatus', { connectionId, documentId: 'its-own' });
    expect(await state()).toEqual(['complete']);
  });

  it('waits, as of that answer, once the service says that it is in progress, until something newer is seen', async () => {
    const given = await ready();
    const { core, service, connectionId } = given;
    const lease = await request(given, 'Lease', ['ana@example.com', 'bo@example.com']);
    const deed = await request(given, 'Deed', ['mei@example.com']);
    await refreshAll(given);
    await request(given, 'Annex', ['cy@example.com']);
    // The lists have room for one entry only: the newest.
    const read = (listType: number) => core.must('signatures.refresh', { connectionId, listType, maxItems: 1 });
    const ask = async (documentId: string) =>
      (await core.must('tracking.askRequestStatus', { connectionId, documentId })).askedAt;
    const counts = async () => (await core.must('tracking.state', { connectionId })).requests;
    await read(1);
    expect(await counts()).toMatchObject({ waiting: 1, 'not-known': 2 });
    const askedAt = await ask(deed);
    await ask(lease);
    expect(await counts()).toMatchObject({ waiting: 3, 'partly-signed': 0, 'not-known': 0 });
    const shown = await shownOf(given);
    expect(shown).toContainEqual(['Deed', 'waiting', 'mei@example.com waiting, not listed']);
    // Which of the two it waits for, the answer does not say.
    const nobody = ['ana@example.com not-known, not listed', 'bo@example.com not-known, not listed'];
    expect(shown).toContainEqual(['Lease', 'waiting', ...nobody]);
    const deedShown = async () => (await groupsOf(given)).find(({ documentName }) => documentName === 'Deed');
    expect((await deedShown())?.signers[0]?.at).toBe(askedAt);
    await service.control.sign(lease, 'ana@example.com');
    await read(2);
    const signed = 'ana@example.com signed';
    expect(await shownOf(given)).toContainEqual(['Lease', 'not-known', signed, nobody[1]]);
    await ask(lease);
    expect(await shownOf(given)).toContainEqual([
      'Lease',
      'partly-signed',
      signed,
      'bo@example.com waiting, not listed',
    ]);
    expect(await counts()).toMatchObject({ waiting: 2, 'partly-signed': 1, complete: 0, 'not-known': 0 });
    await service.control.sign(deed, 'mei@example.com');
    await until(async () => {
      await ask(deed);
      return (await deedShown())?.state === 'complete';
    });
  });

  it('of which the service has two with one document waits by its answer only where nobody of the other one can be meant', async () => {
    const dataDir = await newFolder();
    const given = await ready({ dataDir });
    const { core, service, connectionId } = given;
    const twice = async (names: readonly string[], first: readonly string[], second: readonly string[]) => {
      const documentId = await request(given, names[0] ?? '', first);
      const mischief = { kind: 'answer' as const, text: documentId };
      service.control.misbehave({ mischief, operation: 'AddNewDocumentESign', times: 1 });
      await request(given, names[1] ?? '', second);
      return documentId;
    };
    const lease = await twice(['Lease', 'Annex'], ['ana@example.com', 'bo@example.com'], ['cy@example.com']);
    const deed = await twice(['Deed', 'Map'], ['mei@example.com'], ['di@example.com', 'eli@example.com']);
    await refreshAll(given);
    await service.control.sign(lease, 'ana@example.com');
    const inProgress = await core.must('tracking.askRequestStatus', { connectionId, documentId: lease });
    await service.control.sign(deed, 'mei@example.com');
    await request(given, 'Newest', ['fay@example.com']);
    const sql = openSql(join(dataDir, 'sealdesk.db'));
    sql.exec("UPDATE jobs SET attempt_ended_at = strftime('%Y-%m-%dT%H:%M:%fZ', attempt_ended_at, '-1 hour')");
    sql.close();
    await core.must('signatures.refresh', { connectionId, listType: 1, maxItems: 1 });
    await core.must('signatures.refresh', { connectionId, listType: 2 });
    for (const documentId of [lease, deed]) {
      const mischief = { kind: 'answer' as const, text: inProgress.raw ?? '' };
      service.control.misbehave({ mischief, operation: 'GetDocumentStatus', times: 1 });
      expect((await core.must('tracking.askRequestStatus', { connectionId, documentId })).answer.group).toBe(
        'in-progress',
      );
    }
    const unlisted = (state: string, ...names: string[]) =>
      names.map((name) => `${name}@example.com ${state}, not listed`);
    const shown = await shownOf(given);
    // It may be Bo or Cy.
    expect(shown).toContainEqual(['Lease', 'not-known', 'ana@example.com signed', ...unlisted('not-known', 'bo')]);
    expect(shown).toContainEqual(['Annex', 'not-known', ...unlisted('not-known', 'cy')]);
    // Mei signed: it is the other one.
    expect(shown).toContainEqual(['Deed', 'complete', 'mei@example.com signed']);
    expect(shown).toContainEqual(['Map', 'waiting', ...unlisted('not-known', 'di', 'eli')]);
  });

  it('waits for the owner of the account, whom no request names, until that signature was seen, too', async () => {
    const given = await ready();
    const { core, folder, service, connectionId } = given;
    const [path = ''] = await writePdfs(folder, ['Lease.pdf']);
    const fileToken = (await core.core.acceptPath(path)).token;
    const order = { kind: 'plain' as const, connectionId, fileToken, creditType: 2, documentName: 'Lease' };
    const { batchId } = await core.must('signatures.request', {
      ...order,
      emails: ['ana@example.com'],
      ownerSigns: true,
    });
    const documentId = (await untilEnded(core, batchId))[0]?.documentId ?? '';
    await service.control.sign(documentId, 'ana@example.com');
    await core.must('signatures.refresh', { connectionId, listType: 2 });
    expect(await shownOf(given)).toEqual([
      ['Lease', 'not-known', 'ana@example.com signed', 'null not-known, not listed'],
    ]);
    await refreshAll(given);
    const owner = (await entriesOf(given, { listType: 1 }))[0]?.email ?? '';
    expect(await shownOf(given)).toEqual([['Lease', 'partly-signed', 'ana@example.com signed', `${owner} waiting`]]);
    await service.control.sign(documentId, owner);
    await refreshAll(given);
    expect(await shownOf(given)).toEqual([['Lease', 'complete', 'ana@example.com signed', `${owner} signed`]]);
  });

  it('is recognised by its signer if the service answered with an address, each its own', async () => {
    const given = await ready();
    const { core, service, connectionId } = given;
    expect((await fromTemplate(given, 'ana@example.com', 'Consent'))?.documentId).toBeNull();
    await refreshAll(given);
    await fromTemplate(given, 'ana@example.com', 'Consent');
    await fromTemplate(given, 'bo@example.com');
    await refreshAll(given);
    const [, second] = service.control.documents().filter(({ name }) => name === 'Consent');
    await service.control.sign(second?.documentId ?? '', 'ana@example.com');
    await refreshAll(given);
    expect(await shownOf(given)).toEqual([
      ['TPL-1003', 'waiting', 'bo@example.com waiting'],
      ['Consent', 'complete', 'ana@example.com signed'],
      ['Consent', 'waiting', 'ana@example.com waiting'],
    ]);
    expect((await core.must('tracking.state', { connectionId })).requests.elsewhere).toBe(0);
    // What was sent from here is among the documents, although only the lists name it.
    const { rows } = await core.must('documents.list', { connectionId, search: 'Consent', offset: 0, limit: 10 });
    const consents = service.control.documents().filter(({ name }) => name === 'Consent');
    expect(rows).toHaveLength(2);
    expect(consents.map(({ documentId }) => documentId.toLowerCase())).toEqual(
      expect.arrayContaining(rows.map((row) => row.documentId)),
    );
  });

  it('is no document that is older than it, with the same name and signer', async () => {
    const { core, service, connectionId } = await withLists();
    const ago = (hours: number, zone = 'Z') =>
      new Date(Date.now() - hours * 3_600_000).toISOString().replace('Z', zone);
    const entry = (id: string, created: string) =>
      listEntry({
        DocumentName: 'Consent',
        CreatedDate: created,
        OrigServiceDocumentID: id,
        Email: 'ana@example.com',
      });
    const earlier = [
      entry('of-yesterday', ago(20)),
      entry('of-an-hour-ago', ago(1)),
      entry('of-last-week', ago(70, '')),
    ];
    service.entries = earlier;
    await core.must('signatures.refresh', { connectionId, listType: 1 });
    expect((await fromTemplate({ core, connectionId }, 'ana@example.com', 'Consent'))?.documentId).toBeNull();
    await refreshAll({ core, connectionId });
    const all = async () => (await core.must('tracking.groups', { connectionId })).groups;
    const own = async () => (await all()).filter(({ isFromElsewhere }) => !isFromElsewhere);
    expect(await own()).toMatchObject([{ origDocumentId: null, state: 'not-known' }]);
    service.entries = [...earlier, entry('its-own', ago(0))];
    await refreshAll({ core, connectionId });
    expect(await own()).toMatchObject([{ origDocumentId: 'its-own', state: 'waiting' }]);
    expect((await core.must('tracking.state', { connectionId })).requests.elsewhere).toBe(3);
  });

  it('that the service refused needs a person until somebody takes it off the list', async () => {
    const given = await ready();
    const { core, connectionId } = given;
    const emails = ['ana@example.com'];
    const refused = { kind: 'easy-sign-template' as const, connectionId, templateId: 'none such', emails };
    const { batchId, jobId } = await core.must('signatures.request', refused);
    await untilEnded(core, batchId);
    expect(await groupsOf(given, { request: 'needs-you' })).toMatchObject([
      { state: 'needs-you', job: { jobId, state: 'refused', failure: { code: expect.any(String) } } },
    ]);
    // An export has what the view has, with its state.
    const target = join(core.dataDir, 'requests.csv');
    core.dialogs.targets.push(target);
    expect(await core.must('tracking.export', { connectionId, format: 'csv' })).toMatchObject({ rowCount: 1 });
    expect(await readFile(target, 'utf8')).toMatch(/ana@example\.com.*Refused by the service/);
    expect((await core.must('tracking.state', { connectionId })).requests['needs-you']).toBe(1);
    await core.must('jobs.dismiss', { jobIds: [jobId] });
    expect(await groupsOf(given)).toEqual([]);
    expect((await core.must('tracking.state', { connectionId })).requests['needs-you']).toBe(0);
  });

  it('from elsewhere is exported as it is shown: with who left the lists, each once; entries without a document are theirs', async () => {
    const { core, service, connectionId } = await withLists();
    const entry = (id: string | null, email: string) =>
      listEntry({ DocumentName: id ?? 'Unnamed', Email: email, ...(id ? { OrigServiceDocumentID: id } : {}) });
    service.entries = [
      entry('lease', 'ana@example.com'),
      entry('lease', 'bo@example.com'),
      entry('deed', 'cy@example.com'),
    ];
    await core.must('signatures.refresh', { connectionId, listType: 1 });
    service.entries = [
      entry('lease', 'bo@example.com'),
      entry('deed', 'cy@example.com'),
      entry(null, 'di@example.com'),
    ];
    await core.must('signatures.refresh', { connectionId, listType: 1 });
    const exported = async (query: Partial<CallInput<'tracking.groups'>>) => {
      const target = join(core.dataDir, 'view.csv');
      core.dialogs.targets.push(target);
      const saved = await core.must('tracking.export', { connectionId, format: 'csv', ...query });
      const { groups } = await core.must('tracking.groups', { connectionId, ...query });
      const lines = (await readFile(target, 'utf8')).trim().split('\n').slice(1);
      const signers = groups.reduce((sum, { signerCount }) => sum + signerCount, 0);
      expect(saved).toMatchObject({ requestCount: groups.length, rowCount: signers });
      return lines.map((line) => /\w+@/.exec(line)?.[0]).sort();
    };
    expect(await exported({})).toEqual(['ana@', 'bo@', 'cy@', 'di@']);
    expect(await exported({ search: 'lease' })).toEqual(['ana@', 'bo@']);
    expect(await exported({ person: 'di' })).toEqual(['di@']);
    expect(await exported({ request: 'waiting' })).toEqual([]);
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

describe('a list that was never read', () => {
  const entry = (id: string, email: string) =>
    listEntry({ DocumentName: id, Email: email, OrigServiceDocumentID: id, ServiceDocumentID: id });
  const [deed, will] = ['5B1D4C90-6C1F-4C8A-9E8B-0A6B2C3D4E5F', '5B1D4C90-6C1F-4C8A-9E8B-0A6B2C3D4E60'];

  /** Two requests from here and one from elsewhere; of two of them one of two has signed. */
  async function withRequests() {
    const given = await withLists();
    const { core, service, connectionId } = given;
    for (const [documentId, ...emails] of [
      [deed, 'ana@example.com', 'bo@example.com'] as const,
      [will, 'cy@example.com'] as const,
    ]) {
      service.status = documentId;
      const more = { connectionId, templateId: 'TPL-1', emails, documentName: documentId };
      await untilEnded(core, (await core.must('signatures.request', { kind: 'easy-sign-template', ...more })).batchId);
    }
    service.entries = [entry(deed, 'bo@example.com'), entry(will, 'cy@example.com'), entry('lease', 'di@example.com')];
    service.signed = [entry(deed, 'ana@example.com'), entry('lease', 'ed@example.com')];
    return given;
  }

  async function read(
    { core, service, connectionId }: Awaited<ReturnType<typeof withLists>>,
    failing: readonly number[],
  ) {
    service.failing = failing;
    for (const listType of [1, 2])
      expect((await core.ask('signatures.refresh', { connectionId, listType })).ok).toBe(!failing.includes(listType));
  }

  async function saidOf({ core }: { readonly core: RunningCore }, connectionId: string) {
    const { groups } = await core.must('tracking.groups', { connectionId });
    const { requests } = await core.must('tracking.state', { connectionId });
    const home = await core.must('home.summary', { connectionId, today: '2026-12-01', isHere: true });
    const rows = groups.map((one) => {
      const of = one.mayHaveMore ? 'some' : one.signerCount;
      return [one.documentName, `${one.state} ${one.signedCount} of ${of}${one.hasUnknown ? ' seen' : ''}`];
    });
    const [waiting, signed] = [home.waiting.count, home.signed.count];
    const { 'not-known': unknown, elsewhere, ...counts } = requests;
    return {
      ...Object.fromEntries(rows),
      waiting,
      signed,
      elsewhere,
      unknown,
      partly: counts['partly-signed'],
      complete: counts.complete,
    };
  }

  const whole = {
    [deed]: 'partly-signed 1 of 2',
    [will]: 'waiting 0 of 1',
    lease: 'partly-signed 1 of 2 seen',
    ...{ waiting: 2, signed: 0, elsewhere: 1, unknown: 0, partly: 1, complete: 0 },
  };
  const unread = { elsewhere: null, partly: 0, complete: 0 };

  it.each([
    [
      [2],
      {
        [deed]: 'not-known 0 of 2 seen',
        [will]: 'waiting 0 of 1',
        lease: 'not-known 0 of some seen',
        ...{ ...unread, waiting: 1, signed: null, unknown: 1 },
      },
    ],
    [
      [1],
      {
        [deed]: 'not-known 1 of 2 seen',
        [will]: 'not-known 0 of 1 seen',
        lease: 'not-known 1 of some seen',
        ...{ ...unread, waiting: null, signed: 0, unknown: 2 },
      },
    ],
    [
      [1, 2],
      {
        [deed]: 'not-known 0 of 2 seen',
        [will]: 'not-known 0 of 1 seen',
        ...{ ...unread, waiting: null, signed: null, unknown: 2 },
      },
    ],
  ])('says nothing: of what needs %j nothing is known until it comes', async (failing, known) => {
    const given = await withRequests();
    const { core, connectionId } = given;
    await read(given, failing);
    expect(await saidOf(given, connectionId)).toEqual(known);
    const found = async () => (await core.must('find.all', { connectionId, text: 'lease' })).requests;
    expect((await found()).map(({ mayHaveMore }) => mayHaveMore)).toEqual(failing.length === 1 ? [true] : []);
    await read(given, []);
    // What left from here cannot have been signed before: a first reading of the list shows it as new.
    const later = { ...whole, signed: failing.includes(2) ? 1 : 0 };
    expect(await saidOf(given, connectionId)).toEqual(later);
    expect(await found()).toMatchObject([{ signedCount: 1, signerCount: 2, hasUnknown: true }]);
    // One that fails later has its own, older time, and what it said is known.
    const before = await core.must('tracking.state', { connectionId });
    await read(given, failing);
    const after = await core.must('tracking.state', { connectionId });
    for (const [at, { listType, asOf, failure }] of after.lists.entries()) {
      expect(failure !== null).toBe(failing.includes(listType));
      expect(asOf === before.lists[at]?.asOf).toBe(failing.includes(listType));
    }
    expect(await saidOf(given, connectionId)).toEqual(later);
  });

  it('has no number of those who are waited for while the only ones may be partly signed', async () => {
    const given = await withRequests();
    given.service.entries = [entry(deed, 'bo@example.com')];
    await read(given, [2]);
    expect(await saidOf(given, given.connectionId)).toMatchObject({ waiting: null, unknown: 2 });
    await read(given, []);
    expect(await saidOf(given, given.connectionId)).toMatchObject({ waiting: 1, partly: 1 });
  });

  it('may also be cut: that all signed a request from elsewhere only the answer of the service says', async () => {
    const given = await withLists();
    const { core, service, connectionId } = given;
    service.signed = [entry(deed, 'ed@example.com')];
    await read(given, []);
    expect(await saidOf(given, connectionId)).toMatchObject({ [deed]: 'not-known 1 of 1 seen', elsewhere: 1 });
    service.status = 'Completed';
    await core.must('tracking.askRequestStatus', { connectionId, documentId: deed });
    expect(await saidOf(given, connectionId)).toMatchObject({ [deed]: 'complete 1 of 1' });
  });

  it('is one of its connection only: another connection, also to the same service, has lists of its own', async () => {
    const given = await withRequests();
    const { core, service } = given;
    await read(given, []);
    const paths = { mainPath: '/main.asmx', easySignPath: '/easy.asmx', namespaceUri: listNamespace };
    const settings = { name: 'Second', baseUrl: service.baseUrl, proxy: { mode: 'none' as const }, ...paths };
    const { id } = await core.must('connections.save', { settings });
    await core.must('connections.setCredentials', { id, apiKey: 'key-for-tests', apiSig: 'sig-for-tests' });
    expect(await saidOf(given, id)).toEqual({ ...unread, waiting: null, signed: null, unknown: 0 });
    await read({ ...given, connectionId: id }, [2]);
    expect(await saidOf(given, id)).toMatchObject({
      elsewhere: null,
      waiting: 0,
      signed: null,
      [deed]: 'not-known 0 of some seen',
    });
    expect(await saidOf(given, given.connectionId)).toEqual(whole);
    await read({ ...given, connectionId: id }, []);
    expect(await saidOf(given, id)).toMatchObject({
      elsewhere: 3,
      waiting: 0,
      signed: 0,
      [deed]: 'partly-signed 1 of 2 seen',
    });
  });
});

describe('automatic calls', () => {
  it('are about what is not known first, which no list tells any more', async () => {
    // On a busy machine the lists may have been read just before the last request: then they are read again after a second.
    const pace = { soonMs: 20, leastMs: 1_000, mostMs: 1_000, gatherMs: 50, remindMs: 50 };
    const [core, service, folder] = [await newCore({ pace }), await newService(), await newFolder()];
    // The lists have room for one entry only: the newest.
    const given: Ready = { core, service, folder, connectionId: await connect(core, service, { maxItems: 1 }) };
    await core.must('tracking.setBudget', { perHour: 100, isAutomatic: false });
    for (const name of ['Lease', 'Deed', 'Annex']) {
      await request(given, name, ['ana@example.com']);
      await refreshAll(given);
    }
    const counts = async () => (await core.must('tracking.state', { connectionId: given.connectionId })).requests;
    expect(await counts()).toMatchObject({ waiting: 1, 'not-known': 2 });
    await core.must('tracking.setBudget', { perHour: 100, isAutomatic: true });
    await request(given, 'Consent', ['ana@example.com']);
    // Of the third it may be asked before or after the list no longer has it.
    const isAsked = async (name: string) =>
      (await shownOf(given)).some(([title, state]) => title === name && state === 'waiting');
    for (const name of ['Lease', 'Deed', 'Consent']) await until(() => isAsked(name));
  });

  it('leave half of the budget to the lists: after many requests at once each is asked about only later', async () => {
    const given = await ready({ pace: { soonMs: 20, leastMs: 60_000, mostMs: 60_000, gatherMs: 50, remindMs: 50 } });
    const { core, service } = given;
    await core.must('tracking.setBudget', { perHour: 8, isAutomatic: true });
    service.control.fillESignList(12);
    await request(given, 'Lease', ['ana@example.com']);
    const asked = () => service.control.requests();
    await until(() => (asked().GetESignList ?? 0) >= 2);
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(asked().GetDocumentStatus).toBe(3);
  });
});

describe('a request on the practice connection', () => {
  it('has its lists read soon, too', async () => {
    const core: RunningCore = await newCore({ pace: { soonMs: 20, leastMs: 60_000, mostMs: 60_000 } });
    await core.must('tracking.setBudget', { perHour: 3000, isAutomatic: true });
    const given = { core, connectionId: 'practice' } as Ready;
    await fromTemplate(given, 'ana@example.com', 'Consent');
    await until(async () => (await entriesOf(given)).length === 1);
    expect(await shownOf(given)).toEqual([['Consent', 'waiting', 'ana@example.com waiting']]);
  });
});
