import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { SaxesParser } from 'saxes';
import type { CallInput } from '../contract/index.ts';
import { createListReader } from '../electron/soap/reply/list-reader.ts';
import type { ServiceTarget } from '../electron/soap/service/client.ts';
import { type RunningCore, startCore } from '../test/harness/core.ts';
import { quantile, type Report, timed } from './harness.ts';
import { typed } from './invented-documents.ts';
import { blocksText, watchLoop } from './loop-watch.ts';

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

/** As much of a list at once as a connection gives. */
const chunkUnits = 64 * 1024;

/** The list's XML as a text. */
export async function listText(baseUrl: string): Promise<string> {
  const body = '<GetESignList><ListType>1</ListType></GetESignList>';
  return await (await fetch(`${baseUrl}/main`, { method: 'POST', body })).text();
}

export function throughSaxes(text: string): void {
  new SaxesParser({ xmlns: true }).write(text).close();
}

/** Through our list reader alone, in chunks as they come from the wire: in one piece it would be one entry beyond what is read. */
export function throughReader(text: string): (string | null)[][] {
  const rows: (string | null)[][] = [];
  // The reader asks no more of its target.
  const target = { elementNames: {}, namespaceUri: 'https://bench.example/ns/' } as unknown as ServiceTarget;
  const reading = { target, operation: 'GetESignList', status: 200, redact: (raw: string) => raw } as const;
  const reader = createListReader(reading, (entry) => {
    const one = entry ?? {};
    const fields = [one.DocumentName, one.CreatedDate, one.ServiceDocumentID, one.OrigServiceDocumentID];
    rows.push([...fields, one.Email, one.Name, one.SecretWord].map((field) => field ?? null));
  });
  for (let at = 0; at < text.length; at += chunkUnits) reader.write(text.slice(at, at + chunkUnits));
  reader.end();
  return rows;
}

/** The rows into a bare table, in one transaction. */
export async function intoBareTable(rows: readonly (readonly (string | null)[])[], folder: string): Promise<void> {
  const path = join(folder, 'bare.db');
  const database = new DatabaseSync(path);
  database.exec('PRAGMA journal_mode = WAL');
  database.exec('CREATE TABLE bare (a TEXT, b TEXT, c TEXT, d TEXT, e TEXT, f TEXT, g TEXT)');
  database.exec('BEGIN');
  const insert = database.prepare('INSERT INTO bare VALUES (?, ?, ?, ?, ?, ?, ?)');
  for (const row of rows) insert.run(...row);
  database.exec('COMMIT');
  database.close();
  for (const end of ['', '-wal', '-shm']) await rm(`${path}${end}`, { force: true });
}

/** Lower bounds: the same XML through the parsers alone, the same rows in a bare table in one transaction. */
export async function references({ row }: Report, baseUrl: string, folder: string): Promise<{ insertMs: number }> {
  const text = await listText(baseUrl);
  const saxes = await timed(() => throughSaxes(text));
  let rows: (string | null)[][] = [];
  const reader = await timed(() => {
    rows = throughReader(text);
  });
  const insertMs = await timed(() => intoBareTable(rows, folder));
  row(`reference: ${rows.length} entries through saxes alone`, seconds(saxes));
  row('reference: through our list reader alone', seconds(reader), `${(reader / saxes).toFixed(2)} of saxes`);
  row('reference: the same rows into a bare table, one transaction', seconds(insertMs));
  return { insertMs };
}

export async function connectionTo(core: RunningCore, baseUrl: string, name = 'Long list'): Promise<string> {
  const { id } = await core.must('connections.save', { settings: { ...settingsOf(baseUrl), name } });
  await core.must('connections.setCredentials', { id, ...credentials });
  return id;
}

/** Reads the whole list from the wire into the register, in a real SQLite file. Returns the core that has it. */
export async function readings(
  { row }: Report,
  baseUrl: string,
  dataDir: string,
  insertMs: number,
): Promise<{ core: RunningCore; connectionId: string }> {
  const core = await startCore({ dataDir });
  const connectionId = await connectionTo(core, baseUrl);
  // An empty list: the first call loads its modules, here from their sources, one by one.
  await core.must('signatures.refresh', { connectionId, listType: 2, maxItems: 0 });
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
    row(
      `${what} (${total} entries)`,
      `${seconds(ms)}; blocks ${blocksText(blocks)}`,
      `${(ms / insertMs).toFixed(1)} × the bare inserts; ≤ ${targetS} s, block ≤ 50 ms: ${ms <= targetS * 1000 && blocks.longest <= 50 ? 'met' : 'missed'}`,
    );
  }
  return { core, connectionId };
}

type Turn = () => Promise<unknown>;
type ReportTimes = (what: string, turns: readonly Turn[], targetMs?: number) => Promise<void>;

interface QueryBench {
  readonly reportTimes: ReportTimes;
  readonly core: RunningCore;
  readonly connectionId: string;
  readonly ask: (query: Partial<CallInput<'tracking.entries'>>) => Turn;
  /** Offsets from the start to the end of the list. */
  readonly offsets: readonly number[];
}

/** Runs each turn once and reports wall-clock times and blocks of this process. */
function timesReporter({ row }: Report): ReportTimes {
  return async (what, turns, targetMs = 50) => {
    const [times, waits]: [number[], number[]] = [[], []];
    for (const turn of turns) {
      const stop = watchLoop();
      await nextTurn();
      const since = performance.now();
      await turn();
      times.push(performance.now() - since);
      waits.push(stop().longest);
    }
    const at = (share: number) => quantile(times, share);
    const block = Math.max(...waits);
    const figures = `p50 ${at(0.5).toFixed(1)}, p95 ${at(0.95).toFixed(1)}, longest ${at(1).toFixed(1)} ms`;
    row(
      what,
      `${figures}; block ${block.toFixed(1)}`,
      `p95 ≤ ${targetMs} ms: ${at(0.95) <= targetMs ? 'met' : 'missed'}`,
    );
  };
}

/** Measures the screen's queries. */
export async function queries(report: Report, { core, connectionId }: { core: RunningCore; connectionId: string }) {
  const { total } = await core.must('tracking.entries', { connectionId, listType: 1 });
  const bench: QueryBench = {
    reportTimes: timesReporter(report),
    core,
    connectionId,
    ask: (query) => () => core.must('tracking.entries', { connectionId, listType: 1, limit: 200, ...query }),
    offsets: [0, 0.25, 0.5, 0.75, 0.999].map((share) => Math.floor(total * share)),
  };
  await pageQueries(bench);
  await searchQueries(bench);
  await filterQueries(bench);
  await overviewQueries(bench);
}

async function pageQueries({ reportTimes, ask, offsets }: QueryBench): Promise<void> {
  for (const sort of ['createdAt', 'documentName', 'name', 'email', 'firstSeenAt'] as const)
    await reportTimes(
      `a page by ${sort}: start, middle, end, both ways`,
      [true, false].flatMap((descending) => offsets.map((offset) => ask({ sort, descending, offset }))),
    );
  await reportTimes(
    'a page of all lists',
    offsets.map((offset) => ask({ listType: null, offset })),
  );
}

async function searchQueries({ reportTimes, ask }: QueryBench): Promise<void> {
  const words = ['lease 47', 'ozturk', 'müller harbour', 'signer4711@mail', 'certificate north', 'mill lane 8'];
  await reportTimes(
    'search as you type, newest first',
    typed(words).map((search) => ask({ search })),
    16,
  );
  await reportTimes(
    'search as you type, by name',
    typed(words).map((search) => ask({ search, sort: 'name' })),
    16,
  );
}

async function filterQueries({ reportTimes, core, connectionId, ask, offsets }: QueryBench): Promise<void> {
  const { entries } = await core.must('tracking.entries', { connectionId, listType: 1, limit: 500 });
  const ids = entries.flatMap(({ documentId, origDocumentId }) => [documentId ?? '', origDocumentId ?? '']);
  await reportTimes(
    'search for an ID',
    ids.slice(0, 40).map((search) => ask({ search: search.toUpperCase() })),
    16,
  );
  await reportTimes(
    'person and document',
    typed(['dana', 'lena m']).map((person) => ask({ person, document: 'lease' })),
  );
  await reportTimes(
    'days',
    offsets.map((offset) => ask({ from: '2024-03-01', to: '2025-09-01', offset: offset / 2 })),
  );
  await reportTimes(
    'one document',
    ids.slice(0, 40).map((origDocumentId) => ask({ origDocumentId })),
    16,
  );
  await reportTimes(
    'changed ones',
    offsets.map(() => ask({ changedOnly: true })),
    16,
  );
  await reportTimes(
    'due ones',
    offsets.map(() => ask({ dueOnly: true })),
    16,
  );
}

async function overviewQueries({ reportTimes, core, connectionId, offsets }: QueryBench): Promise<void> {
  const groups = (query: Partial<CallInput<'tracking.groups'>>) => () =>
    core.must('tracking.groups', { connectionId, listType: 1, limit: 200, ...query });
  await reportTimes('grouped, first page', [groups({ listType: null })]);
  await reportTimes(
    'grouped, pages',
    offsets.map((offset) => groups({ offset: Math.floor(offset * 0.6) })),
  );
  await reportTimes(
    'grouped, searched',
    typed(['lease']).map((search) => groups({ search })),
  );
  await reportTimes(
    'state (rail and its counts)',
    offsets.map(() => () => core.must('tracking.state', { connectionId })),
    16,
  );
  await reportTimes(
    'status board',
    offsets.map(() => () => core.must('tracking.board', { connectionId })),
  );
}

/** Exports all entries. */
export async function exports(
  { row }: Report,
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
    row(
      what,
      `${seconds(ms)}; blocks ${blocksText(blocks)}`,
      `block ≤ 50 ms: ${blocks.longest <= 50 ? 'met' : 'missed'}`,
    );
  }
}
