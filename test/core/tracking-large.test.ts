import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CallInput } from '../../contract/index.ts';
import { openSql } from '../../electron/store/database/sql.ts';
import { openStore } from '../../electron/store/store.ts';
import type { RunningCore } from '../harness/core.ts';
import { listEntry, listNamespace, startListService } from '../harness/list-service.ts';
import { atLength } from '../harness/test-length.ts';
import { atEnd, connect, newCore, newFolder, newService } from './jobs-setup.ts';

const entries = atLength({ short: 10_000, all: 100_000 });
/** A number of entries as the part of all that it is of 100,000. */
const part = (n: number) => (n * entries) / 100_000;
const quiet = { info: () => undefined, error: () => undefined };

const idOf = (n: number) =>
  `${(n * 2654435761).toString(16).padStart(12, '0')}-0000-4000-8000-${String(n).padStart(12, '0')}`;

const entryXml = (n: number, name = 'Signer') =>
  listEntry({
    DocumentName: `Invented agreement ${n}`,
    CreatedDate: new Date(1_700_000_000_000 + n * 60_000).toISOString(),
    ServiceDocumentID: idOf(n),
    OrigServiceDocumentID: idOf(n),
    Email: `signer${n}@example.com`,
    Name: `${name} ${n}`,
  });

function connectTo(core: RunningCore, baseUrl: string): Promise<string> {
  const paths = { mainPath: '/', easySignPath: '/', namespaceUri: listNamespace };
  return connect(core, { ...paths, baseUrl, apiKey: 'key', apiSig: 'sig', close: async () => undefined });
}

/** Entries as a reading of the list would yield them. */
const arrived = (from: number, count: number) =>
  Array.from({ length: count }, (_each, at) => {
    const n = from + at;
    return {
      documentName: `Invented agreement ${n}`,
      createdDate: null,
      createdAt: new Date(1_700_000_000_000 + n * 60_000).toISOString(),
      documentId: idOf(n),
      origDocumentId: idOf(n),
      email: `signer${n}@example.com`,
      name: `Signer ${n}`,
      hasSecretWord: false,
      secret: null,
      entryKey: String(n),
      fingerprint: String(n),
    };
  });

async function fill(dataDir: string, connectionId: string): Promise<void> {
  const { store } = await openStore({ dataDir, log: quiet });
  const reading = await store.tracked.begin(connectionId, 1);
  for (let from = 0; from < entries; from += 5_000) await reading.add(arrived(from, 5_000));
  await reading.publish({ total: entries, nilEntries: 0, asOf: new Date().toISOString() });
  await reading.end();
  store.close();
}

describe(`a list of ${entries} entries`, () => {
  it('is paged, sorted, searched, filtered and grouped within 1.5 seconds', async () => {
    const [service, dataDir] = [await newService(), await newFolder()];
    const before = await newCore({ dataDir });
    const connectionId = await connect(before, service);
    await before.stop();
    await fill(dataDir, connectionId);
    const core = await newCore({ dataDir });
    const times: Record<string, number> = {};
    const timed = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
      // The fastest of three: other work on the machine makes single ones slow.
      const values: T[] = [];
      for (let turn = 0; turn < 3; turn += 1) {
        const from = performance.now();
        values.push(await work());
        times[name] = Math.min(times[name] ?? Number.POSITIVE_INFINITY, performance.now() - from);
      }
      return values[0] as T;
    };
    const page = (name: string, query: Partial<CallInput<'tracking.entries'>>) =>
      timed(name, () => core.must('tracking.entries', { connectionId, listType: 1, ...query }));
    expect((await page('first page', {})).total).toBe(entries);
    expect((await page('last page', { offset: entries - 10 })).entries).toHaveLength(10);
    expect((await page('by name, deep', { sort: 'name', offset: part(60_000) })).entries).toHaveLength(100);
    expect((await page('all lists', { listType: null, sort: 'email' })).total).toBe(entries);
    expect((await page('search for one', { search: `signer${part(77_770)}@example` })).total).toBe(1);
    expect((await page('search for an ID', { search: idOf(4711).toUpperCase() })).total).toBe(1);
    expect((await page('search for all', { search: 'invented', sort: 'documentName' })).total).toBe(entries);
    expect((await page('person and document', { person: 'signer12', document: 'agreement' })).total).toBe(
      entries === 10_000 ? 111 : 1_111,
    );
    expect((await page('days', { from: '2000-01-01', to: '2099-01-01', offset: part(50_000) })).total).toBe(entries);
    const groups = await timed('groups', () => core.must('tracking.groups', { connectionId, listType: 1 }));
    expect(groups.total).toBe(entries);
    await timed('requests deep', () => core.must('tracking.groups', { connectionId, offset: part(60_000) }));
    await timed('elsewhere', () => core.must('tracking.groups', { connectionId, request: 'elsewhere' }));
    await timed('state', () => core.must('tracking.state', { connectionId }));
    await timed('board', () => core.must('tracking.board', { connectionId }));
    const rounded = Object.entries(times).map(([name, ms]) => `${name} ${Math.round(ms)}`);
    process.stdout.write(`${entries} entries, in ms: ${rounded.join(', ')}\n`);
    // Each some 10 to 60 ms; a query that left its index would take seconds.
    expect(Math.max(...Object.values(times))).toBeLessThan(1_500);
  }, 60_000);

  it('is searched in few pieces of the index, however many transactions wrote it', async () => {
    const dataDir = await newFolder();
    await fill(dataDir, 'one');
    const sql = openSql(join(dataDir, 'sealdesk.db'));
    atEnd(async () => sql.close());
    const pieces = sql.get<{ n: number }>('SELECT count(DISTINCT segid) AS n FROM tracked_search_idx')?.n;
    // As many as come are merged at once.
    expect(pieces).toBeLessThanOrEqual(4);
    // What is read later is merged as it comes.
    expect(sql.get("SELECT v FROM tracked_search_config WHERE k = 'automerge'")).toEqual({ v: 4 });
  }, 60_000);

  it.each([3_000, 2_040, 40])(
    'of which a first reading was broken off is found whole after the next one: %i entries',
    async (total) => {
      const { store } = await openStore({ dataDir: await newFolder(), log: quiet });
      atEnd(async () => store.close());
      const found = (search: string) =>
        store.tracked.find({
          connectionId: 'one',
          listType: 1,
          search,
          person: '',
          document: '',
          from: null,
          to: null,
          origDocumentId: null,
          status: null,
          changedOnly: false,
          dueOnly: false,
          sort: 'name',
          descending: false,
          offset: 0,
          limit: 10,
        }).total;
      const brokenOff = await store.tracked.begin('one', 1);
      await brokenOff.add(arrived(0, 2_500));
      await brokenOff.end();
      expect(found('')).toBe(0);
      const reading = await store.tracked.begin('one', 1);
      await reading.add(
        arrived(0, total).filter(({ entryKey, fingerprint }) => !reading.isKnown(entryKey, fingerprint)),
      );
      await reading.publish({ total, nilEntries: 0, asOf: new Date().toISOString() });
      await reading.end();
      for (const search of ['', 'invented', 'example.com']) expect(found(search), search).toBe(total);
      expect(found(`signer${total - 1}@example`)).toBe(1);
      expect(found(`signer${total}@example`)).toBe(0);
    },
  );

  it('is stored without blocking the event loop', async () => {
    const [core, service] = [await newCore(), await newService()];
    const connectionId = await connect(core, service);
    service.control.fillESignList(5_000);
    // Time of the processor in this thread: on a busy machine every turn takes long.
    const spentMs = () => {
      const { user, system } = process.threadCpuUsage();
      return (user + system) / 1_000;
    };
    let [last, longest] = [spentMs(), 0];
    const beat = setInterval(() => {
      longest = Math.max(longest, spentMs() - last);
      last = spentMs();
    }, 5);
    await core.must('signatures.refresh', { connectionId, listType: 1, maxItems: 0 });
    clearInterval(beat);
    expect((await core.must('tracking.entries', { connectionId })).total).toBe(5_000);
    expect(longest).toBeLessThan(1_000);
  }, 30_000);

  it('is read again with exactly the changed, new and removed entries, and the others unchanged', async () => {
    const [core, service] = [await newCore(), await startListService()];
    atEnd(() => service.close());
    const connectionId = await connectTo(core, service.baseUrl);
    const read = () => core.must('signatures.refresh', { connectionId, listType: 1, maxItems: 0 });
    const find = (query: Partial<CallInput<'tracking.entries'>>) =>
      core.must('tracking.entries', { connectionId, listType: 1, limit: 500, ...query });
    const all = Array.from({ length: entries }, (_each, n) => entryXml(n));
    service.entries = all;
    expect((await read()).total).toBe(entries);
    const samples = [0, 1, part(50_000) - 1, part(77_770), entries - 1];
    const idsOf = async () =>
      Promise.all(samples.map(async (n) => (await find({ origDocumentId: idOf(n) })).entries[0]?.id));
    const ids = await idsOf();
    expect(new Set(ids).size).toBe(samples.length);
    expect((await find({ changedOnly: true })).total).toBe(0);

    // Of 100,000: 400 changed, 300 gone, 500 new.
    const [gone, added] = [part(300), part(500)];
    const isGone = (n: number) => n % 333 === 2 && n < 333 * gone;
    const next = all.flatMap((xml, n) => (isGone(n) ? [] : n % 250 === 3 ? entryXml(n, 'Renamed') : xml));
    service.entries = [...next, ...Array.from({ length: added }, (_each, n) => entryXml(entries + n))];
    expect((await read()).total).toBe(entries + added - gone);
    expect((await find({})).total).toBe(entries + added - gone);
    const { lists } = await core.must('tracking.state', { connectionId });
    expect(lists[0]).toMatchObject({ total: entries + added - gone, newCount: added, movedCount: 0 });
    expect((await find({ person: 'renamed' })).total).toBe(
      part(400) - Array.from(all, (_, n) => n).filter((n) => n % 250 === 3 && isGone(n)).length,
    );
    const fresh = (await find({ changedOnly: true })).entries;
    expect(fresh.map(({ origDocumentId }) => origDocumentId).sort()).toEqual(
      Array.from({ length: added }, (_each, n) => idOf(entries + n)).sort(),
    );
    for (const n of [2, 335, 333 * (gone - 1) + 2]) {
      expect((await find({ origDocumentId: idOf(n) })).total).toBe(0);
      expect((await find({ search: `signer${n}@example` })).total).toBe(0);
    }
    expect((await find({ search: `signer${333 * gone + 2}@example` })).total).toBe(1);
    expect(await idsOf()).toEqual(ids);
    expect((await core.must('tracking.groups', { connectionId, listType: 1 })).total).toBe(entries + added - gone);

    // Back to the first list: removed entries are new, added ones are gone, and the names are the first ones.
    await core.must('tracking.look', { connectionId });
    service.entries = all;
    expect((await read()).total).toBe(entries);
    expect((await find({ changedOnly: true })).total).toBe(gone);
    expect((await find({ person: 'renamed' })).total).toBe(0);
    expect((await find({ search: idOf(entries + 7) })).total).toBe(0);
    expect(await idsOf()).toEqual(ids);
  }, 120_000);
});
