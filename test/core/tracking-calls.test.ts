import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { CallInput } from '../../contract/index.ts';
import { readTable } from '../../electron/core/output/tables/read-table.ts';
import { createSecretVault } from '../../electron/core/secrets/secret-vault.ts';
import { type CoreSetup, memoryKeychain, type RunningCore } from '../harness/core.ts';
import { connect, newCore, newFolder, newService, until, untilEnded, writePdfs } from './jobs-setup.ts';

async function ready(setup: CoreSetup = {}) {
  const [core, service, folder] = [await newCore(setup), await newService(), await newFolder()];
  const connectionId = await connect(core, service);
  return { core, service, folder, connectionId };
}
type Ready = Awaited<ReturnType<typeof ready>>;

async function request(
  { core, folder, connectionId }: Ready,
  name: string,
  emails: readonly string[],
  secretWord?: string,
) {
  const [path = ''] = await writePdfs(folder, [`${name}.pdf`]);
  const fileToken = (await core.core.acceptPath(path)).token;
  const given = {
    kind: 'plain' as const,
    connectionId,
    fileToken,
    creditType: 2,
    emails: [...emails],
    documentName: name,
  };
  const { batchId } = await core.must('signatures.request', { ...given, ...(secretWord ? { secretWord } : {}) });
  const [job] = await untilEnded(core, batchId);
  return job?.documentId ?? '';
}

const entries = (core: RunningCore, query: CallInput<'tracking.entries'>) => core.must('tracking.entries', query);

async function refreshAll({ core, connectionId }: Ready) {
  for (const listType of [1, 2]) await core.must('signatures.refresh', { connectionId, listType });
}

afterEach(() => vi.useRealTimers());

describe('what is news on Home', () => {
  it('is what came since the person was here, also while the window that asks does not have the focus', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { core, connectionId } = await ready();
    const since = async (at: string, isHere: boolean) => {
      vi.setSystemTime(new Date(at));
      const { signed } = await core.must('home.summary', { connectionId, today: '2026-03-02', isHere });
      return signed.since;
    };
    const [first, last] = ['2026-03-02T08:00:00.000Z', '2026-03-02T08:10:00.000Z'];
    expect(await since(first, false)).toBeNull();
    expect([await since(first, true), await since(last, true)]).toEqual([first, first]);
    // Asked without a person there it is the same as right afterwards with one, and is no visit.
    expect(await since('2026-03-02T08:39:00.000Z', false)).toBe(first);
    expect(await since('2026-03-02T08:41:00.000Z', false)).toBe(last);
    expect(await since('2026-03-02T09:00:00.000Z', true)).toBe(last);
  });
});

describe('tracked entries', () => {
  it('are marked as new or moved since the last visit, also if the signed document has another ID', async () => {
    const given = await ready();
    const { core, service, connectionId } = given;
    const lease = await request(given, 'Lease', ['ayla@example.com']);
    await refreshAll(given);
    expect((await entries(core, { connectionId })).entries).toMatchObject([{ documentName: 'Lease', mark: null }]);
    await request(given, 'Annex', ['chidi@example.com']);
    await service.control.sign(lease, 'ayla@example.com');
    await refreshAll(given);
    const { entries: all } = await entries(core, { connectionId, sort: 'documentName', descending: false });
    expect(all).toMatchObject([
      // Sent from here, it is no news here.
      { documentName: 'Annex', listType: 1, mark: null },
      { documentName: 'Lease', listType: 2, mark: 'moved', movedFrom: 1 },
    ]);
    expect(all[1]?.documentId?.toLowerCase()).not.toBe(lease.toLowerCase());
    expect(all[1]?.origDocumentId?.toLowerCase()).toBe(lease.toLowerCase());
    const { lists } = await core.must('tracking.state', { connectionId });
    expect(lists).toMatchObject([
      { listType: 1, total: 1, newCount: 0, movedCount: 0 },
      { listType: 2, total: 1, newCount: 0, movedCount: 1 },
    ]);
    expect((await entries(core, { connectionId, changedOnly: true })).total).toBe(1);
    // Requests from elsewhere are.
    service.control.fillESignList(1);
    await refreshAll(given);
    expect((await entries(core, { connectionId, changedOnly: true })).entries.map(({ mark }) => mark).sort()).toEqual([
      'moved',
      'new',
    ]);
    await core.must('tracking.look', { connectionId });
    expect((await entries(core, { connectionId, changedOnly: true })).total).toBe(0);
  });

  it('are found by person, document, day and original, and grouped across lists', async () => {
    const given = await ready();
    const { core, service, connectionId } = given;
    const lease = await request(given, 'Lease-Nord', ['ayla.ozturk@example.com', 'chidi@example.com']);
    await request(given, 'Annex', ['ayla.ozturk@example.com']);
    await service.control.sign(lease, 'chidi@example.com');
    await refreshAll(given);
    const count = async (query: Partial<CallInput<'tracking.entries'>>) =>
      (await entries(core, { connectionId, ...query })).total;
    expect(await count({ person: 'ozturk' })).toBe(2);
    expect(await count({ person: 'lease' })).toBe(0);
    expect(await count({ document: 'lease-nord' })).toBe(2);
    expect(await count({ search: 'ayla annex' })).toBe(1);
    expect(await count({ search: lease.slice(0, 13) })).toBe(2);
    // Two characters begin an ID by chance: what nobody sees is not found by them.
    expect(await count({ search: lease.slice(0, 2) })).toBe(0);
    expect((await core.must('tracking.groups', { connectionId, search: lease.slice(0, 2) })).total).toBe(0);
    expect((await core.must('tracking.groups', { connectionId, search: lease.slice(0, 4) })).total).toBe(1);
    expect((await core.must('find.all', { connectionId, text: 'lease c' })).requests).toHaveLength(1);
    expect(await count({ search: '"*' })).toBe(0);
    const day = new Date().toISOString().slice(0, 10);
    expect(await count({ from: day, to: '2999-01-01' })).toBeGreaterThan(0);
    expect(await count({ to: '2001-01-01' })).toBe(0);
    expect(await count({ origDocumentId: lease.toLowerCase() })).toBe(2);
    const { groups, total } = await core.must('tracking.groups', { connectionId });
    expect(total).toBe(2);
    const among = [...groups.map(({ id }) => id), 'document gone'];
    expect(await core.must('tracking.groups', { connectionId, among })).toEqual({ groups: [], total: 2 });
    expect((await core.must('tracking.groups', { connectionId, among, document: 'Lease-Nord' })).total).toBe(1);
    expect(groups.find(({ documentName }) => documentName === 'Lease-Nord')).toMatchObject({
      signerCount: 2,
      signedCount: 1,
      state: 'partly-signed',
      isFromElsewhere: false,
    });
  });

  it('have the signing link that the service answered to their request, and none where it answered an ID', async () => {
    const given = await ready();
    const { core, connectionId } = given;
    await request(given, 'Annex', ['ayla@example.com']);
    const { batchId } = await core.must('signatures.request', {
      kind: 'easy-sign-template',
      connectionId,
      templateId: 'TPL-1003',
      documentName: 'Lease',
      emails: ['chidi@example.com'],
      names: ['Chidi Obi'],
    });
    const [job] = await untilEnded(core, batchId);
    const { groups } = await core.must('tracking.groups', { connectionId });
    const answerOf = (name: string) => groups.find(({ documentName }) => documentName === name)?.answer;
    expect(answerOf('Lease')).toEqual({ jobId: job?.id, raw: job?.raw, link: job?.raw });
    expect(answerOf('Lease')?.link).toMatch(/^https:/);
    expect(answerOf('Annex')).toMatchObject({ link: null });
    // By its job it is found also where the answer was an address, and no document ID is known.
    const one = await core.must('tracking.groups', { connectionId, jobId: job?.id ?? null });
    expect(one.groups.map(({ documentName, origDocumentId }) => [documentName, origDocumentId])).toEqual([
      ['Lease', null],
    ]);
    expect((await core.must('tracking.groups', { connectionId, jobId: crypto.randomUUID() })).total).toBe(0);
    // Until a list names its ID, a person can.
    const documentId = crypto.randomUUID();
    await core.must('jobs.accept', { jobId: job?.id ?? '', documentId, isUnchecked: true });
    const { groups: named } = await core.must('tracking.groups', { connectionId, jobId: job?.id ?? null });
    expect(named).toMatchObject([{ origDocumentId: documentId, answer: { link: job?.raw } }]);
  });

  it('are shown without the service, with the time of the copy and the failure', async () => {
    const given = await ready();
    const { core, service, connectionId } = given;
    await request(given, 'Lease', ['ayla@example.com']);
    const { asOf } = await core.must('signatures.refresh', { connectionId, listType: 1 });
    await service.close();
    expect((await core.ask('signatures.refresh', { connectionId, listType: 1 })).ok).toBe(false);
    expect(await entries(core, { connectionId, listType: 1 })).toMatchObject({ total: 1 });
    const { lists } = await core.must('tracking.state', { connectionId });
    expect(lists[0]).toMatchObject({ total: 1, asOf, isRefreshing: false, failure: { code: 'service-unreachable' } });
  });

  it('have the statuses of their documents, which the board counts by word', async () => {
    const given = await ready();
    const { core, service, connectionId } = given;
    const lease = await request(given, 'Lease', ['ayla@example.com']);
    await refreshAll(given);
    const [entry] = (await entries(core, { connectionId })).entries;
    const entryId = entry?.id ?? '';
    expect(await core.must('tracking.askStatus', { connectionId, entryId })).toMatchObject({ raw: 'Processing' });
    expect(await core.must('tracking.board', { connectionId })).toMatchObject({
      words: [{ raw: 'Processing', group: 'in-progress', documents: 1 }],
      notAsked: 0,
    });
    await request(given, 'Never asked', ['chidi@example.com']);
    await refreshAll(given);
    const named = async (status: CallInput<'tracking.entries'>['status']) =>
      (await entries(core, { connectionId, status })).entries.map(({ documentName }) => documentName);
    expect(await named(null)).toHaveLength(2);
    expect(await named({ word: 'Processing' })).toEqual(['Lease']);
    expect(await named({ group: 'in-progress' })).toEqual(['Lease']);
    expect(await named({ word: 'Completed' })).toEqual([]);
    expect(await named({ word: null })).toEqual([]);
    expect((await core.must('tracking.groups', { connectionId, status: { group: 'in-progress' } })).total).toBe(1);
    await service.control.sign(lease, 'ayla@example.com');
    await until(async () => (await core.must('tracking.askStatus', { connectionId, entryId })).raw === 'Completed');
    const { history } = await core.must('tracking.entry', { connectionId, entryId });
    expect(history.map(({ raw }) => raw)).toEqual(['Processing', 'Completed']);
    expect((await core.must('tracking.board', { connectionId })).words.map(({ raw }) => raw)).toEqual(['Completed']);
    expect([await named({ word: 'Processing' }), await named({ group: 'completed' })]).toEqual([[], ['Lease']]);
  });
});

describe('a secret word', () => {
  it('that an earlier version sealed is opened, and its entry is known as unchanged', async () => {
    const keychain = memoryKeychain(new Map([['secret-words', Buffer.alloc(32, 7).toString('base64')]]));
    const vault = createSecretVault(keychain, { info: () => undefined, error: () => undefined });
    const sealed = '8f246a65b6e4.kOb1xBiXh_85JFYQ8GvD4WV0lyrQbpnpiSLUclUSSjYEsA';
    expect(await vault.open(sealed)).toBe('word 4');
    expect(await vault.fingerprint('Lease 12')).toBe('byg28KdZ7C_f2mHZikmgdq');
  });

  it('is shown only on request, is in no file unencrypted, and is exported only if chosen', async () => {
    const given = await ready();
    const { core, folder, connectionId } = given;
    await request(given, '=HYPERLINK("http://evil.example")', ['ayla@example.com'], 'cucumber-4711');
    await refreshAll(given);
    const { entries: all } = await entries(core, { connectionId });
    expect(all).toMatchObject([{ hasSecretWord: true, secretWordLost: false }]);
    expect(JSON.stringify([all, core.events])).not.toContain('cucumber');
    for (const file of ['sealdesk.db', 'sealdesk.db-wal'])
      expect((await readFile(join(core.dataDir, file))).includes('cucumber')).toBe(false);
    const entryId = all[0]?.id ?? '';
    expect(await core.must('tracking.revealSecretWord', { connectionId, entryId })).toEqual({
      secretWord: 'cucumber-4711',
    });
    for (const [withSecretWords, isIn] of [
      [false, false],
      [true, true],
    ] as const) {
      const target = join(folder, `out-${withSecretWords}.csv`);
      core.dialogs.targets.push(target);
      const saved = await core.must('tracking.export', { connectionId, format: 'csv', withSecretWords });
      expect(saved).toEqual({ fileName: `out-${withSecretWords}.csv`, rowCount: 1, requestCount: 1 });
      const text = await readFile(target, 'utf8');
      expect(text.includes('cucumber-4711')).toBe(isIn);
      expect(text).toContain(`"'=HYPERLINK(""http://evil.example"")"`);
    }
  });

  it('is exported with its connection, which says where it is only practice', async () => {
    const { core, folder } = await ready();
    const [path = ''] = await writePdfs(folder, ['practice.pdf']);
    const fileToken = (await core.core.acceptPath(path)).token;
    const [connectionId, emails] = ['practice', ['ayla@example.com']];
    await core.must('signatures.request', { kind: 'easy-sign', connectionId, fileToken, emails });
    await until(async () => (await core.must('jobs.list', { states: ['done'] })).total === 1);
    const target = join(folder, 'practice.csv');
    core.dialogs.targets.push(target);
    expect(await core.must('tracking.export', { connectionId, format: 'csv' })).toMatchObject({ rowCount: 1 });
    const { headings, rows } = await readTable({ path: target }, 'en');
    expect(rows[0]?.cells[headings.indexOf('Connection')]).toMatch(/PRACTICE: no legal meaning$/);
  });

  it('is reported as lost if its key was kept for a run that is over', async () => {
    const dataDir = await newFolder();
    const closed = {
      get: async () => null,
      set: async () => Promise.reject(new Error('no')),
      remove: async () => undefined,
    };
    const given = await ready({ dataDir, keychain: closed });
    await request(given, 'Lease', ['ayla@example.com'], 'cucumber-4711');
    await refreshAll(given);
    const { connectionId } = given;
    const [entry] = (await entries(given.core, { connectionId })).entries;
    const reveal = { connectionId, entryId: entry?.id ?? '' };
    expect(await given.core.must('tracking.revealSecretWord', reveal)).toEqual({ secretWord: 'cucumber-4711' });
    await given.core.stop();
    const again = await newCore({ dataDir, keychain: closed });
    expect(await again.must('tracking.revealSecretWord', reveal)).toEqual({ secretWord: null });
    expect((await entries(again, { connectionId })).entries).toMatchObject([
      { hasSecretWord: true, secretWordLost: true },
    ]);
  });
});

describe('automatic reading of lists', () => {
  const quick = { soonMs: 20, leastMs: 60, mostMs: 200, gatherMs: 50, remindMs: 50 };

  it('stays within the budget, notifies of changes, and a click on the notification gives the entry', async () => {
    const given = await ready({ pace: quick });
    const { core, service, connectionId } = given;
    await core.must('tracking.setBudget', { perHour: 3000, isAutomatic: true });
    const lease = await request(given, 'Lease', ['ayla@example.com']);
    await refreshAll(given);
    await core.must('tracking.state', { connectionId });
    await service.control.sign(lease, 'ayla@example.com');
    await until(() => core.notified.length > 0);
    expect(core.notified).toMatchObject([{ title: 'ayla@example.com signed', body: 'Lease' }]);
    core.notified[0]?.click();
    const wanted = await core.must('tracking.takeWanted', {});
    expect(wanted).toMatchObject({ connectionId, listType: 2, entryId: expect.any(String) });
    expect(await core.must('tracking.takeWanted', {})).toBeNull();
    expect(core.events.some(({ name }) => name === 'tracking.entryWanted')).toBe(true);
    const entry = await core.must('tracking.entry', { connectionId, entryId: wanted?.entryId ?? '' });
    expect(entry.entry).toMatchObject({ documentName: 'Lease', mark: 'moved' });

    const { used } = await core.must('tracking.setBudget', { perHour: 1, isAutomatic: true });
    expect(used).toBeGreaterThan(1);
    await new Promise((resolve) => setTimeout(resolve, 150));
    const asked = service.control.requests().GetESignList;
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(service.control.requests().GetESignList).toBe(asked);
    const { budget } = await core.must('tracking.state', { connectionId });
    expect(budget).toMatchObject({ perHour: 1, freeAt: expect.any(String) });
    // Lists that waited for the next hour are read again as soon as a person allows more.
    await core.must('tracking.setBudget', { perHour: 3000, isAutomatic: true });
    await until(() => (service.control.requests().GetESignList ?? 0) > (asked ?? 0));
  });

  it('shows one notification for many changes, and none if notifications are off', async () => {
    const given = await ready({ pace: quick });
    const { core, service, connectionId } = given;
    await core.must('tracking.setBudget', { perHour: 3000, isAutomatic: true });
    await refreshAll(given);
    await core.must('tracking.state', { connectionId });
    service.control.fillESignList(8);
    await until(() => core.notified.length > 0);
    expect(core.notified).toMatchObject([{ title: '8 signature requests changed' }]);
    // People of one request are one request.
    const other = await newCore();
    const elsewhere = { ...given, core: other, connectionId: await connect(other, service) };
    await request(
      elsewhere,
      'Lease',
      ['ayla', 'bo', 'chidi', 'dana'].map((name) => `${name}@example.com`),
    );
    await until(() => core.notified.length > 1);
    expect(core.notified[1]).toMatchObject({ title: '1 signature request changed', body: 'Lease' });
    await core.must('app.setPreferences', { notifications: false, language: 'de' });
    service.control.fillESignList(2);
    await until(async () => (await entries(core, { connectionId })).total === 14);
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(core.notified).toHaveLength(2);
  });

  it('reminds of a due date once, and opens a mail draft with all texts escaped', async () => {
    // It is looked for once more before the texts of the first notification are there.
    const given = await ready({ pace: { ...quick, remindMs: 1 } });
    const { core, connectionId } = given;
    await request(given, 'Lease', ['ayla+x@example.com']);
    await refreshAll(given);
    const [entry] = (await entries(core, { connectionId })).entries;
    const at = { connectionId, entryId: entry?.id ?? '' };
    const due = { connectionId, documentId: entry?.origDocumentId ?? '' };
    expect((await core.ask('tracking.setDue', { ...due, date: '2026-02-30' })).ok).toBe(false);
    await core.must('tracking.setDue', { ...due, date: '2020-01-01', note: 'call her' });
    await until(() => core.notified.length > 0);
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(core.notified.map(({ body }) => body)).toEqual(['Lease · ayla+x@example.com · call her']);
    core.notified[0]?.click();
    expect(await core.must('tracking.takeWanted', {})).toMatchObject({ entryId: null, request: due.documentId });
    expect((await entries(core, { connectionId, dueOnly: true })).entries[0]?.due).toMatchObject({
      date: '2020-01-01',
      remindedAt: expect.any(String),
    });
    await core.must('tracking.draftMail', { ...at, subject: 'Lease & more', body: 'Hello\nplease?cc=eve@example.com' });
    expect(core.shown).toEqual([
      'mailto:ayla%2Bx@example.com?subject=Lease%20%26%20more&body=Hello%0D%0Aplease%3Fcc%3Deve%40example.com',
    ]);
    await core.must('tracking.setDue', { ...due, date: null });
    expect((await entries(core, { connectionId, dueOnly: true })).total).toBe(0);
  });

  it('are exported of the selected requests only, and of no other that fits', async () => {
    const given = await ready();
    const { core, connectionId } = given;
    const lease = await request(given, 'Lease', ['ayla@example.com', 'bo@example.com']);
    await request(given, 'Annex', ['ayla@example.com']);
    await refreshAll(given);
    const target = join(core.dataDir, 'selected.csv');
    core.dialogs.targets.push(target);
    const saved = await core.must('tracking.export', { connectionId, format: 'csv', documentIds: [lease] });
    expect(saved).toEqual({ fileName: 'selected.csv', rowCount: 2, requestCount: 1 });
    expect(await readFile(target, 'utf8')).not.toContain('Annex');
  });

  it('are exported with what was answered of them, their reference and day, also where no list shows them any more', async () => {
    const given = await ready({ pace: { soonMs: 3_600_000 } });
    const { core, service, folder, connectionId } = given;
    const order = async (name: string) => {
      const [path = ''] = await writePdfs(folder, [`${name}.pdf`]);
      const fileToken = (await core.core.acceptPath(path)).token;
      const more = { creditType: 2, emails: ['ayla@example.com'], documentName: name, clientId: `C-${name}` };
      const sent = await core.must('signatures.request', { kind: 'plain', connectionId, fileToken, ...more });
      const documentId = (await untilEnded(core, sent.batchId))[0]?.documentId ?? '';
      await core.must('tracking.setDue', { connectionId, documentId, date: '2999-01-01', note: `Call ${name}` });
      return documentId;
    };
    const [deed, lease, will] = [await order('Deed'), await order('Lease'), await order('Will')];
    await refreshAll(given);
    await service.control.sign(lease, 'ayla@example.com');
    await refreshAll(given);
    await request(given, 'Annex', ['bo@example.com']);
    await core.must('signatures.refresh', { connectionId, listType: 1, maxItems: 1 });
    await service.control.sign(will, 'ayla@example.com');
    const asked = new Map<string, string>();
    for (const [name, documentId] of [
      ['Deed', deed],
      ['Lease', lease],
      ['Will', will],
    ] as const)
      await until(async () => {
        const { raw, askedAt } = await core.must('tracking.askRequestStatus', { connectionId, documentId });
        asked.set(name, askedAt);
        return raw === (name === 'Deed' ? 'Processing' : 'Completed');
      });
    const target = join(core.dataDir, 'all.csv');
    core.dialogs.targets.push(target);
    await core.must('tracking.export', { connectionId, format: 'csv' });
    const { headings, rows } = await readTable({ path: target }, 'en');
    const columns = ['Signature', 'Status', 'Status as of', 'Client reference', 'Due', 'Note'];
    const cellsOf = (name: string) => {
      const cells = rows.find((row) => row.cells[headings.indexOf('Document')] === name)?.cells ?? [];
      return columns.map((column) => cells[headings.indexOf(column)]);
    };
    expect(cellsOf('Deed')).toEqual(['waiting', 'Processing', asked.get('Deed'), 'C-Deed', '2999-01-01', 'Call Deed']);
    expect(cellsOf('Lease')).toEqual([
      'signed',
      'Completed',
      asked.get('Lease'),
      'C-Lease',
      '2999-01-01',
      'Call Lease',
    ]);
    // When something was answered of a document is no time at which anything was seen of its signers.
    const seen = rows.filter(({ cells }) => cells[headings.indexOf('Seen at')]);
    expect(seen.map(({ cells }) => cells[headings.indexOf('Document')])).toEqual(['Lease']);
    expect(cellsOf('Will')[0]).toBe('signed');
  });
});

describe('the practice service', () => {
  it('signs in place of signers, and no other connection does', async () => {
    const given = await ready();
    const { core, folder, connectionId } = given;
    const [path = ''] = await writePdfs(folder, ['lease.pdf']);
    const fileToken = (await core.core.acceptPath(path)).token;
    const emails = ['ayla@example.com'];
    const sent = { kind: 'plain', connectionId: 'practice', fileToken, creditType: 2, emails } as const;
    const [job] = await untilEnded(core, (await core.must('signatures.request', sent)).batchId);
    const sign = { documentId: job?.documentId ?? '', email: 'ayla@example.com' };
    expect((await core.ask('practice.signAs', { connectionId, ...sign })).ok).toBe(false);
    await core.must('practice.signAs', { connectionId: 'practice', ...sign });
    expect(await core.ask('practice.signAs', { connectionId: 'practice', ...sign })).toMatchObject({
      failure: { code: 'bad-input', note: expect.stringContaining('already') },
    });
    await refreshAll({ ...given, connectionId: 'practice' });
    expect((await entries(core, { connectionId: 'practice', listType: 2 })).total).toBe(1);
  });
});
