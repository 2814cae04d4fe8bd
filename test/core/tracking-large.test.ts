import { describe, expect, it } from 'vitest';
import type { CallInput } from '../../contract/index.ts';
import { openStore } from '../../electron/store/store.ts';
import { connect, newCore, newFolder, newService } from './jobs-setup.ts';

const entries = 100_000;
const quiet = { info: () => undefined, error: () => undefined };

const idOf = (n: number) =>
  `${(n * 2654435761).toString(16).padStart(12, '0')}-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** A copy as it would have come, and the entries followed since. */
async function fill(dataDir: string, connectionId: string): Promise<void> {
  const { store } = await openStore({ dataDir, log: quiet });
  const copy = store.lists.begin();
  for (let from = 0; from < entries; from += 5_000)
    copy.add(
      Array.from({ length: 5_000 }, (_each, at) => {
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
        };
      }),
    );
  const { copyId, ...state } = copy.publish({
    connectionId,
    listType: 1,
    nilEntries: 0,
    asOf: new Date().toISOString(),
  });
  const applying = store.tracked.begin({ connectionId, listType: 1, copyId });
  while (applying.step(5_000));
  applying.finish(state);
  store.close();
}

describe('a list of 100,000 entries', () => {
  it('is paged, sorted, searched, filtered and grouped in no time', async () => {
    const [service, dataDir] = [await newService(), await newFolder()];
    const before = await newCore({ dataDir });
    const connectionId = await connect(before, service);
    await before.stop();
    await fill(dataDir, connectionId);
    const core = await newCore({ dataDir });
    const times: Record<string, number> = {};
    const timed = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
      const from = performance.now();
      const value = await work();
      times[name] = performance.now() - from;
      return value;
    };
    const page = (name: string, query: Partial<CallInput<'tracking.entries'>>) =>
      timed(name, () => core.must('tracking.entries', { connectionId, listType: 1, ...query }));
    expect((await page('first page', {})).total).toBe(entries);
    expect((await page('last page', { offset: entries - 10 })).entries).toHaveLength(10);
    expect((await page('by name, deep', { sort: 'name', offset: 60_000 })).entries).toHaveLength(100);
    expect((await page('all lists', { listType: null, sort: 'email' })).total).toBe(entries);
    expect((await page('search for one', { search: 'signer77777@example' })).total).toBe(1);
    expect((await page('search for an ID', { search: idOf(4711).toUpperCase() })).total).toBe(1);
    expect((await page('search for all', { search: 'invented', sort: 'documentName' })).total).toBe(entries);
    expect((await page('person and document', { person: 'signer12', document: 'agreement' })).total).toBe(1_111);
    expect((await page('days', { from: '2000-01-01', to: '2099-01-01', offset: 50_000 })).total).toBe(entries);
    const groups = await timed('groups', () => core.must('tracking.groups', { connectionId, listType: 1 }));
    expect(groups.total).toBe(entries);
    await timed('state', () => core.must('tracking.state', { connectionId }));
    await timed('board', () => core.must('tracking.board', { connectionId }));
    const rounded = Object.entries(times).map(([name, ms]) => `${name} ${Math.round(ms)}`);
    process.stdout.write(`100,000 entries, in ms: ${rounded.join(', ')}\n`);
    // Each some 10 to 60 ms; a query that left its index would take seconds.
    expect(Math.max(...Object.values(times))).toBeLessThan(1_500);
  }, 60_000);

  it('is taken in without holding the program up', async () => {
    const [core, service] = [await newCore(), await newService()];
    const connectionId = await connect(core, service);
    service.control.fillESignList(5_000);
    let [last, longest] = [performance.now(), 0];
    const beat = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 5);
    await core.must('signatures.refresh', { connectionId, listType: 1, maxItems: 0 });
    clearInterval(beat);
    expect((await core.must('tracking.entries', { connectionId })).total).toBe(5_000);
    expect(longest).toBeLessThan(1_000);
  }, 30_000);
});
