import { describe, expect, it } from 'vitest';
import { openSql } from '../../electron/store/database/sql.ts';
import { openStore } from '../../electron/store/store.ts';
import { atEnd, connect, newCore, newFolder } from '../core/jobs-setup.ts';
import { listEntry, listNamespace, startListService } from '../harness/list-service.ts';
import { atLength } from '../harness/test-length.ts';
import { copied, kill, runQueue } from './fault-runs.ts';
import { limitMs } from './fault-table.ts';

const kills = atLength({ short: 2, all: 40 });
const entries = 3_000;
const apiKey = 'key';
const apiSig = 'sig';

/** Every entry contains the version of its list, so a mixture of two versions would be seen. */
const listOf = (version: number) =>
  Array.from({ length: entries }, (_each, n) =>
    listEntry({ DocumentName: `Lease ${n}`, OrigServiceDocumentID: `document-${n}`, Name: `Version ${version}` }),
  );

/** The list that the next start of the program shows. */
async function shownIn(dataDir: string, connectionId: string) {
  const sql = openSql(`${dataDir}/sealdesk.db`);
  const left = sql.get<{ n: number }>('SELECT count(*) AS n FROM tracked_copies')?.n ?? 0;
  sql.close();
  const { store } = await openStore({ dataDir, log: { info: () => undefined, error: () => undefined } });
  await store.tracked.finishOthers();
  const usual = { connectionId, search: '', person: '', document: '', from: null, to: null, origDocumentId: null };
  const query = {
    ...usual,
    status: null,
    changedOnly: false,
    dueOnly: false,
    sort: 'name',
    descending: false,
  } as const;
  const page = (listType: number | null, offset: number, search = '') =>
    store.tracked.find({ ...query, listType, offset, limit: 500, search });
  const names = new Set<string | null>();
  const { total } = page(null, 0);
  for (let offset = 0; offset < total; offset += 500) for (const row of page(1, offset).rows) names.add(row.name);
  const found = [page(1, 0, 'lease').total, page(1, 0, [...names].join(' ')).total];
  const state = store.tracked.listState(connectionId, 1);
  store.close();
  return { left, total, names, found, state };
}

describe('a program that is killed while it reads a list', () => {
  it(
    `shows after each of ${kills} kills one complete version of the list, or none`,
    async () => {
      const [service, dataDir] = [await startListService(), await newFolder()];
      atEnd(() => service.close());
      let version = 0;
      Object.defineProperty(service, 'entries', { get: () => listOf(version++) });
      const setup = await newCore({ dataDir });
      const connectionId = await connect(setup, {
        baseUrl: service.baseUrl,
        mainPath: '/',
        easySignPath: '/',
        namespaceUri: listNamespace,
        apiKey,
        apiSig,
        close: async () => undefined,
      });
      await setup.stop();
      const own = await copied(dataDir);
      const env = { DATA_DIR: own, CONNECTION_ID: connectionId, CREDENTIALS: JSON.stringify({ apiKey, apiSig }) };
      let [half, none] = [0, 0];
      // On a busy machine a list takes longer: the kill then comes later, until one came during a list.
      for (let n = 0; n < kills || (half === 0 && n < 4 * kills + 10); n += 1) {
        const child = runQueue(env, 'tracking-program.ts');
        expect(await child.said('ready')).toBe(true);
        await new Promise((resolve) =>
          setTimeout(resolve, n === 0 ? 60 : 100 + Math.random() * (n < kills ? 900 : 4_000)),
        );
        expect(await kill(child), 'it was still reading').toBe(true);
        const { left, total, names, found, state } = await shownIn(await copied(own), connectionId);
        if (left > 0) half += 1;
        if (state === null) none += 1;
        expect([state === null ? 0 : entries, state === null ? 0 : 1]).toEqual([total, names.size]);
        expect(found).toEqual([total, total]);
      }
      process.stdout.write(`${kills} kills: ${half} in the midst of a list, ${none} before the first one was there\n`);
      expect(half).toBeGreaterThan(0);
    },
    limitMs,
  );
});
