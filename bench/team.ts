import { cpSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { arch, cpus, loadavg, platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestContext } from 'vitest';
import { claimInRegister } from '../electron/core/team/claims.ts';
import type { TeamDatabase } from '../electron/core/team/database.ts';
import { followDocuments } from '../electron/core/team/follow-documents.ts';
import type { DocumentQuery } from '../electron/store/documents/document-search.ts';
import type { NewDocument } from '../electron/store/documents/documents.ts';
import { openStore, type Store } from '../electron/store/store.ts';
import { type RunningPractice, startPractice } from '../practice/practice-service.ts';
import { assetsDir, type RunningCore, startCore } from '../test/harness/core.ts';
import { type Postgres, startPostgres } from '../test/harness/postgres.ts';
import { startProgram } from './team-processes.ts';

/**
 * `npm run bench:team [-- --documents 1000000 --files 100]`: adds with and without a team register, and a register of many documents, on a PostgreSQL of its own on
 * this computer. Every figure stands beside the local one of the same run. Prints figures and writes them to bench/results/.
 */
function option(name: string, usual: number): number {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? usual : Number(process.argv[at + 1]);
}
const documents = option('documents', 1_000_000);
const filesEach = option('files', 100);

const log = { info: () => undefined, error: () => undefined };
const rows: string[] = [];
function report(what: string, team: string, local: string, ratio: string, target = ''): void {
  rows.push(`| ${what} | ${team} | ${local} | ${ratio} | ${target} |`);
  console.log(`${what}: ${team}; local ${local}; ratio ${ratio}${target ? ` (${target})` : ''}`);
}
const quantile = (times: readonly number[], share: number) =>
  [...times].sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;

async function connected(core: RunningCore, service: RunningPractice, postgres: Postgres | null, person: string) {
  const { baseUrl, mainPath, easySignPath, namespaceUri, apiKey, apiSig } = service;
  const address = { baseUrl, mainPath, easySignPath, namespaceUri, proxy: { mode: 'none' as const } };
  const { id } = await core.must('connections.save', { settings: { name: 'Service', ...address } });
  await core.must('connections.setCredentials', { id, apiKey, apiSig });
  if (postgres)
    await core.must('team.join', { connectionId: id, settings: postgres.settings('bo', { person }), password: '' });
  return id;
}

/** A small PDF that no other is equal to. */
const pdf = (text: string) => `%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\n% ${text}\ntrailer<</Root 1 0 R>>\n%%EOF\n`;

/** Adds per second of as many programs, each with files of its own, from the moment that the files are there. */
async function addsPerSecond(service: RunningPractice, postgres: Postgres | null, programs: number): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'sealdesk-bench-'));
  const running = [];
  for (let n = 0; n < programs; n += 1) {
    const [released, kept, dataDir, copy] = ['released', 'kept', 'data', 'copy'].map((name) =>
      join(folder, String(n), name),
    ) as [string, string, string, string];
    for (const path of [released, kept, dataDir]) await mkdir(path, { recursive: true });
    for (let at = 0; at < filesEach; at += 1) await writeFile(join(kept, `${at}.pdf`), pdf(`${folder} ${n} ${at}`));
    const core = await startCore({ dataDir });
    const connectionId = await connected(core, service, postgres, `person ${n}`);
    // The database's connection is open as long as this process lives: the program gets a copy.
    cpSync(dataDir, copy, { recursive: true });
    await rm(join(copy, 'sealdesk.db-shm'), { force: true });
    await core.stop();
    const credentials = JSON.stringify({ apiKey: service.apiKey, apiSig: service.apiSig });
    const program = startProgram({
      ...{ DATA_DIR: copy, CONNECTION_ID: connectionId },
      ...{ CREDENTIALS: credentials, FOLDER: released },
    });
    await program.started;
    running.push({ program, kept, released });
  }
  const since = performance.now();
  for (const { kept, released } of running) {
    await rename(kept, join(released, '0'));
    await mkdir(join(released, 'all'));
  }
  await Promise.all(running.map(({ program }) => program.ended));
  const seconds = (performance.now() - since) / 1_000;
  await rm(folder, { recursive: true, force: true });
  return (programs * filesEach) / seconds;
}

/** Statements outside of transactions are one round trip and one commit each. */
async function commits(admin: TeamDatabase): Promise<number> {
  await sleep(1_500);
  const [row] = await admin.query<{ n: string }>(
    'SELECT xact_commit AS n FROM pg_stat_database WHERE datname = current_database()',
  );
  return Number(row?.n ?? 0);
}

async function adds(postgres: Postgres, admin: TeamDatabase): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sealdesk-bench-'));
  const service = await startPractice({ dataDir, assetsDir });
  await addsPerSecond(service, null, 1);
  for (const programs of [1, 4, 8]) {
    const local = await addsPerSecond(service, null, programs);
    const before = await commits(admin);
    const team = await addsPerSecond(service, postgres, programs);
    const trips = ((await commits(admin)) - before) / (programs * filesEach);
    const rate = (n: number) => `${n.toFixed(1)} adds/s`;
    report(`adds, ${programs} programs`, rate(team), rate(local), (team / local).toFixed(2), '≥ 0.80');
    report(`statements per add with all following, ${programs} programs`, trips.toFixed(1), '0', '–');
  }
  await service.close();
  await rm(dataDir, { recursive: true, force: true });
}

/** Time of a claim, beside that of a departure's commit in the local ledger. */
async function latency(admin: TeamDatabase, teamId: string, store: Store): Promise<void> {
  const programId = crypto.randomUUID();
  await admin.query(
    "INSERT INTO sealdesk.programs (program_id, team_id, person, computer, version) VALUES ($1::uuid, $2::uuid, 'ana', 'desk', '1')",
    [programId, teamId],
  );
  const [team, local]: [number[], number[]] = [[], []];
  for (let n = 0; n < 500; n += 1) {
    const of = { jobId: crypto.randomUUID(), connectionId: 'office', kind: 'AddNewDocument', key: `latency ${n}` };
    let since = performance.now();
    const own = store.teamClaims.prepare(of);
    local.push(performance.now() - since);
    since = performance.now();
    await claimInRegister(admin, { teamId, programId }, own, 'title');
    team.push(performance.now() - since);
  }
  for (const [name, share] of [
    ['median', 0.5],
    ['p95', 0.95],
  ] as const) {
    const [ofTeam, ofLocal] = [quantile(team, share), quantile(local, share)];
    const text = (ms: number) => `${ms.toFixed(2)} ms`;
    report(`added by the claim of an add, ${name}`, text(ofTeam), text(ofLocal), (ofTeam / ofLocal).toFixed(2));
  }
}

const people = ['Ayla Öztürk', 'Björn Ångström', 'Chidi Okafor', 'Dana Müller'];
function invented(n: number): NewDocument {
  return {
    connectionId: 'office',
    documentId: `${n.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`,
    jobId: null,
    name: `Lease ${(n * 7_919) % documents} ${['north', 'south', 'east', 'west'][n % 4]}`,
    description: 'signed copy for the archive',
    clientId: `CASE-${n % 1_000}/${n}`,
    signers: `${people[n % 4]} signer${n % 500}@example.com`,
    fileName: `scan_${n}.pdf`,
    sizeBytes: (n * 7_919) % 5_000_000,
    sha256: n.toString(16).padStart(64, '0'),
    registeredAt: new Date(1_700_000_000_000 + n * 60_000).toISOString(),
  };
}

const perTransaction = 2_000;

async function fillRegister(admin: TeamDatabase, teamId: string): Promise<void> {
  const author = crypto.randomUUID();
  await admin.query(
    "INSERT INTO sealdesk.programs (program_id, team_id, person, computer, version) VALUES ($1::uuid, $2::uuid, 'chidi', 'desk', '1')",
    [author, teamId],
  );
  for (let from = 0; from < documents; from += perTransaction) {
    const some = Array.from({ length: Math.min(perTransaction, documents - from) }, (_each, n) => invented(from + n));
    await admin.query(
      `INSERT INTO sealdesk.documents (team_id, document_id, program_id, name, description, client_id, signers, file_name, sha256, size_bytes, registered_at)
       SELECT $1::uuid, "documentId", $2::uuid, name, description, "clientId", signers, "fileName", sha256, "sizeBytes", "registeredAt"
       FROM jsonb_to_recordset($3::jsonb) AS g("documentId" text, name text, description text, "clientId" text, signers text,
         "fileName" text, sha256 text, "sizeBytes" bigint, "registeredAt" timestamptz)`,
      [teamId, author, JSON.stringify(some)],
    );
  }
}

const query = (more: Partial<DocumentQuery>): DocumentQuery => ({
  ...{ search: '', sort: 'registeredAt', descending: true, offset: 0, limit: 100 },
  ...more,
});
const words = ['lease', 'north 4', 'ozturk', 'case-77', 'scan_4711', 'signer42@example', '0000a1b2'];
const searches = words.flatMap((word) => Array.from(word, (_letter, at) => word.slice(0, at + 1)));
const offsets = Array.from({ length: 50 }, (_each, n) => Math.floor((n * documents) / 50));

/** Times of the queries in both, one after the other in turn, after one round that does not count. */
function timesOf(stores: readonly Store[], queries: readonly Partial<DocumentQuery>[]): number[][] {
  const times: number[][] = stores.map(() => []);
  for (const isCounted of [false, true])
    for (const more of queries)
      for (const [at, store] of stores.entries()) {
        const since = performance.now();
        store.documents.list(query(more));
        if (isCounted) times[at]?.push(performance.now() - since);
      }
  return times;
}

async function manyDocuments(admin: TeamDatabase, teamId: string, store: Store, localDir: string): Promise<void> {
  await fillRegister(admin, teamId);
  const { store: local } = await openStore({ dataDir: localDir, log });
  let since = performance.now();
  for (let from = 0; from < documents; from += perTransaction)
    local.documents.putAll(
      Array.from({ length: Math.min(perTransaction, documents - from) }, (_each, n) => invented(from + n)),
    );
  const localSeconds = (performance.now() - since) / 1_000;
  since = performance.now();
  await followDocuments(admin, {
    connectionId: 'office',
    member: { teamId, programId: crypto.randomUUID() },
    ...{ documents: store.documents, settings: store.settings, onStored: () => undefined },
  });
  const seconds = (performance.now() - since) / 1_000;
  const rate = (s: number) => `${s.toFixed(1)} s`;
  const ratio = (seconds / localSeconds).toFixed(2);
  report(`first copy of ${documents} documents for a new program`, rate(seconds), rate(localSeconds), ratio);
  const measure = (what: string, queries: readonly Partial<DocumentQuery>[], target: string) => {
    const [ofTeam = 0, ofLocal = 0] = timesOf([store, local], queries).map((times) => quantile(times, 0.95));
    const text = (ms: number) => `${ms.toFixed(1)} ms`;
    report(what, text(ofTeam), text(ofLocal), (ofTeam / ofLocal).toFixed(2), target);
  };
  measure(
    'search as you type, p95',
    searches.map((search) => ({ search })),
    '≤ 100 ms',
  );
  measure(
    'a page anywhere, p95',
    offsets.map((offset) => ({ offset })),
    '≤ 100 ms',
  );
  local.close();
}

/** From the answer of the service here until the other program shows the document. */
async function seenByOthers(postgres: Postgres): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sealdesk-bench-'));
  const service = await startPractice({ dataDir, assetsDir });
  const [one, other] = [await startCore(), await startCore()];
  const [here, there] = [
    await connected(one, service, postgres, 'one'),
    await connected(other, service, postgres, 'other'),
  ];
  const totalOf = async (core: RunningCore, connectionId: string) =>
    (await core.must('documents.list', { connectionId, filters: { by: 'everyone' }, limit: 1 })).total;
  // The other program has copied what was there.
  for (let last = -1; ; await sleep(1_000)) {
    const total = await totalOf(other, there);
    if (total === last && total > 0) break;
    last = total;
  }
  const times: number[] = [];
  for (let n = 0; n < 10; n += 1) {
    const before = [await totalOf(one, here), await totalOf(other, there)];
    const path = join(dataDir, `seen-${n}.pdf`);
    await writeFile(path, pdf(path));
    const { token } = await one.core.acceptPath(path);
    const { id } = await one.must('files.scan', { tokens: [token], purpose: 'register' });
    await one.must('documents.register', { connectionId: here, intakeId: id, creditType: 1 });
    while ((await totalOf(one, here)) === before[0]) await sleep(10);
    const since = performance.now();
    while ((await totalOf(other, there)) === before[1]) await sleep(10);
    times.push(performance.now() - since);
  }
  const text = (share: number) => `${quantile(times, share).toFixed(0)} ms`;
  report('a new document seen by others, median (longest)', `${text(0.5)} (${text(1)})`, '–', '–', '≤ 2000 ms');
  await Promise.all([one.stop(), other.stop()]);
  await service.close();
  await rm(dataDir, { recursive: true, force: true });
}

const loadBefore = loadavg();
const context = {
  skip: (reason: string) => {
    throw new Error(reason);
  },
} as unknown as TestContext;
const postgres = await startPostgres(context);
const folder = await mkdtemp(join(tmpdir(), 'sealdesk-bench-'));
try {
  const admin = await postgres.admin();
  const [{ team_id: teamId = '' } = {}] = await admin.query<{ team_id: string }>('SELECT team_id FROM sealdesk.teams');
  await adds(postgres, admin);
  await seenByOthers(postgres);
  await mkdir(join(folder, 'team'));
  await mkdir(join(folder, 'local'));
  const { store } = await openStore({ dataDir: join(folder, 'team'), log });
  await latency(admin, teamId, store);
  await manyDocuments(admin, teamId, store, join(folder, 'local'));
  store.close();
  await admin.close();
} finally {
  await postgres.close();
  await rm(folder, { recursive: true, force: true });
}
const text = [
  `# Team register, ${new Date().toISOString()}`,
  '',
  `${platform()} ${arch()}, ${cpus().length} × ${cpus()[0]?.model.trim() ?? ''}; Node ${process.version}; ${filesEach} files for each program; load ${loadBefore[0]?.toFixed(1)} before, ${loadavg()[0]?.toFixed(1)} after.`,
  '',
  '| what | with the register | local | ratio | target |',
  '| --- | --- | --- | --- | --- |',
  ...rows,
  '',
].join('\n');
const results = join(import.meta.dirname, 'results');
await mkdir(results, { recursive: true });
await writeFile(join(results, `${new Date().toISOString().slice(0, 16).replace(':', '')}-team.md`), text);
// Links to the database may still be ending.
process.exit(0);
