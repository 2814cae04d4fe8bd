import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { reportOutcomes } from '../electron/core/team/claims.ts';
import { openTeamDatabase, type TeamDatabase } from '../electron/core/team/database.ts';
import { thenFed } from '../electron/core/team/feed.ts';
import type { DocumentQuery } from '../electron/store/documents/document-search.ts';
import { openStore, type Store } from '../electron/store/store.ts';
import { type RunningCore, startCore } from '../test/harness/core.ts';
import type { Postgres } from '../test/harness/postgres.ts';
import type { RunningPractice } from '../test/harness/practice.ts';
import { isSmall, quantile, smallPdf } from './harness.ts';
import { invented, portions, silentLog, typed } from './invented-documents.ts';
import { watchLoop } from './loop-watch.ts';
import type { Team } from './team-adds.ts';
import { connected, totalOf } from './team-member.ts';
import { report, reportTime } from './team-report.ts';

const seenTimes = isSmall ? 2 : 10;

async function newColleague(admin: TeamDatabase, teamId: string): Promise<string> {
  const programId = crypto.randomUUID();
  await admin.query(
    "INSERT INTO sealdesk.programs (program_id, team_id, person, computer, version) VALUES ($1::uuid, $2::uuid, 'chidi', 'desk', '1')",
    [programId, teamId],
  );
  return programId;
}

async function fillRegister(admin: TeamDatabase, teamId: string, programId: string, count: number): Promise<void> {
  for (const some of portions('office', count))
    await admin.query(
      `WITH added AS (INSERT INTO sealdesk.documents (team_id, document_id, program_id, name, description, client_id, signers, file_name, sha256, size_bytes, registered_at)
       SELECT $1::uuid, "documentId", $2::uuid, name, description, "clientId", signers, "fileName", sha256, "sizeBytes", "registeredAt"
       FROM jsonb_to_recordset($3::jsonb) AS g("documentId" text, name text, description text, "clientId" text, signers text,
         "fileName" text, sha256 text, "sizeBytes" bigint, "registeredAt" timestamptz)
       RETURNING 'document' AS kind, document_id AS item), ${thenFed('added')} SELECT 1 FROM changed LIMIT 1`,
      [teamId, programId, JSON.stringify(some)],
    );
}

const query = (connectionId: string, more: Partial<DocumentQuery>): DocumentQuery => ({
  connectionId,
  search: '',
  sort: 'registeredAt',
  descending: true,
  offset: 0,
  limit: 100,
  filters: { by: 'everyone' },
  ...more,
});
const words = ['lease', 'north 4', 'ozturk', 'case-77', 'scan_4711', 'signer42@example', '0000a1b2'];
const searches = typed(words).map((search) => ({ search }));

/** Reports the 95th percentile of the queries in both registers, asked in turn, after one round that does not count; in a few rounds, as of one other work on the computer makes the figure. */
function compare(
  what: string,
  registers: readonly { readonly store: Store; readonly connectionId: string }[],
  queries: readonly Partial<DocumentQuery>[],
): void {
  const times: number[][] = registers.map(() => []);
  for (const isCounted of [false, true, true, true])
    for (const more of queries)
      for (const [at, { store, connectionId }] of registers.entries()) {
        const since = performance.now();
        store.documents.list(query(connectionId, more));
        if (isCounted) times[at]?.push(performance.now() - since);
      }
  const [team = 0, local = 0] = times.map((each) => quantile(each, 0.95));
  reportTime(what, team, local, 'ms', '≤ 100 ms');
}

/** From the report of a colleague's outcome until this program, which has copied the whole register, finds the document. */
async function measureSeen(
  core: RunningCore,
  connectionId: string,
  postgres: Postgres,
  teamId: string,
): Promise<number[]> {
  const database = await openTeamDatabase(postgres.settings('bo'), '');
  const programId = await newColleague(database, teamId);
  const times: number[] = [];
  for (let n = 0; n < seenTimes; n += 1) {
    const name = `Seen ${crypto.randomUUID()}`;
    const claim = {
      claimId: crypto.randomUUID(),
      kind: 'AddNewDocument',
      key: name,
      version: 2,
      secondOf: null,
      isEarlier: false,
      asks: [],
    };
    const record = { name, description: '', clientId: '', signers: '', fileName: null };
    const of = { title: name, documentId: crypto.randomUUID(), record, sha256: null, sizeBytes: null };
    const since = performance.now();
    await reportOutcomes({ database, member: { teamId, programId } }, [
      { ...claim, ...of, state: 'done', isWithoutRegister: false, at: new Date().toISOString() },
    ]);
    const isSeen = async () =>
      (await core.must('documents.list', { connectionId, search: name, limit: 1 })).total === 1;
    while (!(await isSeen())) await sleep(10);
    times.push(performance.now() - since);
    // Not in step with the intervals of the program.
    await sleep(1_000 + n * 130);
  }
  await database.close();
  return times;
}

/** A register of so many documents: the first copy for a new program, what it then sees of others, searches and pages, each beside a local register of the same documents. */
export async function measureDocuments(
  { postgres, admin, teamId }: Team & { readonly teamId: string },
  service: RunningPractice,
  count: number,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'sealdesk-bench-'));
  const [teamDir, localDir] = [join(folder, 'team'), join(folder, 'local')];
  await fillRegister(admin, teamId, await newColleague(admin, teamId), count);
  // As the server does by itself within minutes.
  await admin.query('ANALYZE sealdesk.documents, sealdesk.changes');
  const [all] = await admin.query<{ n: string }>('SELECT count(*) AS n FROM sealdesk.documents');
  const { store: local } = await openStore({ dataDir: localDir, log: silentLog });
  let since = performance.now();
  for (const some of portions('office', count)) local.documents.putAll(some);
  const localSeconds = (performance.now() - since) / 1_000;

  const core = await startCore({ dataDir: teamDir });
  const loop = watchLoop();
  since = performance.now();
  const connectionId = await connected(core, service, postgres, 'dana');
  while ((await totalOf(core, connectionId)) < Number(all?.n)) await sleep(500);
  const seconds = (performance.now() - since) / 1_000;
  const { p95, longest } = loop();
  const number = count.toLocaleString('en');
  reportTime(`first copy of ${number} documents for a new program`, seconds, localSeconds, 's');
  report('the program blocked during its first copy, p95 (longest)', `${p95.toFixed(0)} ms (${longest.toFixed(0)} ms)`);

  const seen = await measureSeen(core, connectionId, postgres, teamId);
  const here: number[] = [];
  for (let n = 0; n < seenTimes; n += 1) {
    const name = `Seen ${n}`;
    since = performance.now();
    local.documents.put({ ...invented('office', count + n, count), name });
    local.documents.list(query('office', { search: name }));
    here.push(performance.now() - since);
  }
  const text = (times: readonly number[]) =>
    `${quantile(times, 0.5).toFixed(0)} ms (${quantile(times, 1).toFixed(0)} ms)`;
  const ratio = (quantile(seen, 0.5) / quantile(here, 0.5)).toFixed(0);
  report(`a new document among ${number} seen by others, median (longest)`, text(seen), text(here), ratio, '≤ 2000 ms');
  await core.stop();

  const { store } = await openStore({ dataDir: teamDir, log: silentLog });
  const both = [
    { store, connectionId },
    { store: local, connectionId: 'office' },
  ];
  compare(`search as you type in ${number}, p95`, both, searches);
  const offsets = Array.from({ length: 50 }, (_each, n) => ({ offset: Math.floor((n * count) / 50) }));
  compare(`a page anywhere in ${number}, p95`, both, offsets);
  store.close();
  local.close();
  await rm(folder, { recursive: true, force: true });
}

/** From the answer of the service in one program until another one shows the document. */
export async function measureTwoPrograms(postgres: Postgres, service: RunningPractice): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sealdesk-bench-'));
  const [one, other] = [await startCore(), await startCore()];
  const [here, there] = [
    await connected(one, service, postgres, 'one'),
    await connected(other, service, postgres, 'other'),
  ];
  // The other program has copied what was there.
  for (let last = -1; ; await sleep(1_000)) {
    const total = await totalOf(other, there);
    if (total === last && total > 0) break;
    last = total;
  }
  const times: number[] = [];
  for (let n = 0; n < seenTimes; n += 1) {
    const before = [await totalOf(one, here), await totalOf(other, there)];
    const path = join(dataDir, `seen-${n}.pdf`);
    await writeFile(path, smallPdf(path));
    const { token } = await one.core.acceptPath(path);
    const { id } = await one.must('files.scan', { tokens: [token], purpose: 'register' });
    await one.must('documents.register', { connectionId: here, intakeId: id, creditType: 1 });
    while ((await totalOf(one, here)) === before[0]) await sleep(10);
    const since = performance.now();
    while ((await totalOf(other, there)) === before[1]) await sleep(10);
    times.push(performance.now() - since);
  }
  const text = (share: number) => `${quantile(times, share).toFixed(0)} ms`;
  report(
    'a document registered here seen by others, median (longest)',
    `${text(0.5)} (${text(1)})`,
    '–',
    '–',
    '≤ 2000 ms',
  );
  await Promise.all([one.stop(), other.stop()]);
  await rm(dataDir, { recursive: true, force: true });
}
