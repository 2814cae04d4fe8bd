import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Libsql from 'libsql';
import { SaxesParser } from 'saxes';
import type { CallInput } from '../contract/index.ts';
import { createListReader } from '../electron/soap/list-reader.ts';
import { type RunningCore, startCore } from '../test/harness/core.ts';
import { blocksText, watchLoop } from './loop-watch.ts';

/** Tells one figure: what, the figure, the reference or target beside it. */
export type Tell = (what: string, figure: string, beside?: string) => void;

export const settingsOf = (baseUrl: string) => ({
  name: 'Long list',
  baseUrl,
  mainPath: '/main',
  namespaceUri: 'https://bench.example/ns/',
  proxy: { mode: 'none' as const },
  maxItems: 0,
});
export const credentials = { apiKey: 'bench-key', apiSig: 'bench-signature' };

const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;

/** What cannot be beaten: the same XML through the parsers alone, the same rows into a bare table in one transaction. */
export async function references(tell: Tell, baseUrl: string, folder: string): Promise<{ insertMs: number }> {
  const text = await listText(baseUrl);
  const timed = (work: () => void) => {
    const since = performance.now();
    work();
    return performance.now() - since;
  };
  const saxes = timed(() => void new SaxesParser({ xmlns: true }).write(text).close());
  const rows: (string | null)[][] = [];
  const target = { elementNames: {}, namespaceUri: 'https://bench.example/ns/' };
  const reading = { target, operation: 'GetESignList', status: 200, charset: null, hide: (raw: string) => raw };
  const reader = timed(() => {
    const read = createListReader(reading as unknown as Parameters<typeof createListReader>[0], (entry) => {
      const one = entry ?? {};
      const fields = [one.DocumentName, one.CreatedDate, one.ServiceDocumentID, one.OrigServiceDocumentID];
      rows.push([...fields, one.Email, one.Name, one.SecretWord].map((field) => field ?? null));
    });
    read.write(text);
    read.end();
  });
  const path = join(folder, 'bare.db');
  const database = new Libsql(path);
  database.exec('PRAGMA journal_mode = WAL');
  database.exec('CREATE TABLE bare (a TEXT, b TEXT, c TEXT, d TEXT, e TEXT, f TEXT, g TEXT)');
  const insertMs = timed(() => {
    database.exec('BEGIN');
    const insert = database.prepare('INSERT INTO bare VALUES (?, ?, ?, ?, ?, ?, ?)');
    for (const row of rows) insert.run(row);
    database.exec('COMMIT');
  });
  database.close();
  await rm(path, { force: true });
  tell(`reference: ${rows.length} entries through saxes alone`, seconds(saxes));
  tell('reference: through our list reader alone', seconds(reader), `${(reader / saxes).toFixed(2)} of saxes`);
  tell('reference: the same rows into a bare table, one transaction', seconds(insertMs));
  return { insertMs };
}

async function listText(baseUrl: string): Promise<string> {
  const body = '<GetESignList><ListType>1</ListType></GetESignList>';
  return await (await fetch(`${baseUrl}/main`, { method: 'POST', body })).text();
}

/** Readings of the whole list from the wire into the register, in a real SQLite file. Answers a core that has it. */
export async function readings(
  tell: Tell,
  baseUrl: string,
  dataDir: string,
  insertMs: number,
): Promise<{ core: RunningCore; connectionId: string }> {
  const core = await startCore({ dataDir });
  const { id: connectionId } = await core.must('connections.save', { settings: settingsOf(baseUrl) });
  await core.must('connections.setCredentials', { id: connectionId, ...credentials });
  for (const [what, version, targetS] of [
    ['first reading', 0, 5],
    ['second reading, nothing changed', 0, 3],
    ['third reading, 1 % changed, gone or new', 1, 3],
    ['fourth reading, 1 % the other way', 0, 3],
  ] as const) {
    await fetch(`${baseUrl}/version/${version}`);
    const stop = watchLoop();
    const since = performance.now();
    const { total } = await core.must('signatures.refresh', { connectionId, listType: 1, maxItems: 0 });
    const ms = performance.now() - since;
    const blocks = stop();
    tell(
      `${what} (${total} entries)`,
      `${seconds(ms)}; blocks ${blocksText(blocks)}`,
      `${(ms / insertMs).toFixed(1)} × the bare inserts; ≤ ${targetS} s, block ≤ 50 ms: ${ms <= targetS * 1000 && blocks.longest <= 50 ? 'met' : 'missed'}`,
    );
  }
  return { core, connectionId };
}

/** Every beginning of what somebody types, letter by letter. */
const typed = (words: readonly string[]) =>
  words.flatMap((word) => Array.from(word, (_letter, at) => word.slice(0, at + 1)));

/** What the screen asks, each as often as shown; times by the clock, of this process alone. */
export async function queries(tell: Tell, { core, connectionId }: { core: RunningCore; connectionId: string }) {
  const ask = (query: Partial<CallInput<'tracking.entries'>>) => () =>
    core.must('tracking.entries', { connectionId, listType: 1, limit: 200, ...query });
  const tellTimes = async (what: string, turns: readonly (() => Promise<unknown>)[], targetMs = 50) => {
    const [times, waits]: [number[], number[]] = [[], []];
    for (const turn of turns) {
      const stop = watchLoop();
      await nextTurn();
      const since = performance.now();
      await turn();
      times.push(performance.now() - since);
      waits.push(stop().longest);
    }
    times.sort((a, b) => a - b);
    const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
    const block = Math.max(...waits);
    const figures = `p50 ${at(0.5).toFixed(1)}, p95 ${at(0.95).toFixed(1)}, longest ${at(1).toFixed(1)} ms`;
    tell(
      what,
      `${figures}; block ${block.toFixed(1)}`,
      `p95 ≤ ${targetMs} ms: ${at(0.95) <= targetMs ? 'met' : 'missed'}`,
    );
  };
  const { total } = await core.must('tracking.entries', { connectionId, listType: 1 });
  const places = [0, 0.25, 0.5, 0.75, 0.999].map((share) => Math.floor(total * share));
  for (const sort of ['createdAt', 'documentName', 'name', 'email', 'firstSeenAt'] as const)
    await tellTimes(
      `a page by ${sort}: start, middle, end, both ways`,
      [true, false].flatMap((descending) => places.map((offset) => ask({ sort, descending, offset }))),
    );
  await tellTimes(
    'a page of all lists',
    places.map((offset) => ask({ listType: null, offset })),
  );
  const words = ['lease 47', 'ozturk', 'müller harbour', 'signer4711@mail', 'certificate north', 'mill lane 8'];
  await tellTimes(
    'search as you type, newest first',
    typed(words).map((search) => ask({ search })),
    16,
  );
  await tellTimes(
    'search as you type, by name',
    typed(words).map((search) => ask({ search, sort: 'name' })),
    16,
  );
  const { entries } = await core.must('tracking.entries', { connectionId, listType: 1, limit: 500 });
  const ids = entries.flatMap(({ documentId, origDocumentId }) => [documentId ?? '', origDocumentId ?? '']);
  await tellTimes(
    'search for an ID',
    ids.slice(0, 40).map((search) => ask({ search: search.toUpperCase() })),
    16,
  );
  await tellTimes(
    'person and document',
    typed(['dana', 'lena m']).map((person) => ask({ person, document: 'lease' })),
  );
  await tellTimes(
    'days',
    places.map((offset) => ask({ from: '2024-03-01', to: '2025-09-01', offset: offset / 2 })),
  );
  await tellTimes(
    'one document',
    ids.slice(0, 40).map((origDocumentId) => ask({ origDocumentId })),
    16,
  );
  await tellTimes(
    'changed ones',
    places.map(() => ask({ changedOnly: true })),
    16,
  );
  await tellTimes(
    'due ones',
    places.map(() => ask({ dueOnly: true })),
    16,
  );
  const groups = (query: Partial<CallInput<'tracking.groups'>>) => () =>
    core.must('tracking.groups', { connectionId, listType: 1, limit: 200, ...query });
  await tellTimes('grouped, first page', [groups({ listType: null })]);
  await tellTimes(
    'grouped, pages',
    places.map((offset) => groups({ offset: Math.floor(offset * 0.6) })),
  );
  await tellTimes(
    'grouped, searched',
    typed(['lease']).map((search) => groups({ search })),
  );
  await tellTimes(
    'state (rail and its counts)',
    places.map(() => () => core.must('tracking.state', { connectionId })),
    16,
  );
  await tellTimes(
    'status board',
    places.map(() => () => core.must('tracking.board', { connectionId })),
  );
}

/** Everything into a file. */
export async function exports(
  tell: Tell,
  { core, connectionId }: { core: RunningCore; connectionId: string },
  folder: string,
): Promise<void> {
  for (const [format, withSecretWords] of [
    ['csv', false],
    ['csv', true],
    ['xlsx', false],
  ] as const) {
    core.dialogs.targets.push(join(folder, `out.${format}`));
    const stop = watchLoop();
    const since = performance.now();
    const saved = await core.must('tracking.export', { connectionId, format, withSecretWords });
    const ms = performance.now() - since;
    const blocks = stop();
    const what = `export of ${saved?.rowCount} rows, ${format}${withSecretWords ? ' with secret words' : ''}`;
    tell(
      what,
      `${seconds(ms)}; blocks ${blocksText(blocks)}`,
      `block ≤ 50 ms: ${blocks.longest <= 50 ? 'met' : 'missed'}`,
    );
  }
}
