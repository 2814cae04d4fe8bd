import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type BulkFilter, bulkFilters } from '../../contract/bulk.ts';
import { settingsOfConnection } from '../../contract/connections.ts';
import type { CallInput } from '../../contract/index.ts';
import { requestStates, type TrackedGroup, type TrackingState } from '../../contract/tracking.ts';
import type { VerifyRun } from '../../contract/verify.ts';
import { readTable } from '../../electron/core/output/tables/read-table.ts';
import { openSql } from '../../electron/store/database/sql.ts';
import type { RunningCore } from '../harness/core.ts';
import { bulkOf } from '../harness/find-bulk.ts';
import { receiptOf } from '../harness/save-receipt.ts';
import { atLength } from '../harness/test-length.ts';
import { reported } from './audit-setup.ts';
import {
  connect,
  newCore,
  newFolder,
  newService,
  pdf,
  register,
  scan,
  until,
  untilEnded,
  untilJobs,
  writePdfs,
} from './jobs-setup.ts';

/** Requests and documents that are sent, in this many turns with a program each; every list of the service has at most `cut` entries. */
const [plain, templates, refused, documents, turns, cut] = atLength({
  short: [33, 4, 4, 8, 3, 15],
  ci: [61, 6, 6, 12, 4, 25],
  all: [281, 10, 10, 300, 5, 100],
});

interface Sent {
  readonly name: string;
  readonly emails: readonly string[];
  readonly documentId: string;
  readonly isTemplate: boolean;
  readonly signed: Set<string>;
}

type Knowledge = 'signed' | 'waiting' | 'not-known';

/** Lists are read where the test says so. */
const never = { soonMs: 3_600_000, leastMs: 3_600_000, mostMs: 3_600_000 };

/** What a program can know that reads the same lists at the same time: written down apart from it, from what these lists had. */
class Observed {
  readonly signed = new Map<string, { readonly from: string; readonly to: string } | null>();
  waiting = new Set<string>();
  readonly everListed = new Set<string>();
  readonly #read = new Set<number>();

  take(listType: number, keys: readonly string[], from: string, to: string): void {
    if (listType === 1) this.waiting = new Set(keys);
    else
      for (const key of keys)
        if (!this.signed.has(key)) {
          const hasTime = this.#read.has(listType) || this.everListed.has(key);
          this.signed.set(key, hasTime ? { from, to } : null);
        }
    for (const key of keys) this.everListed.add(key);
    this.#read.add(listType);
  }

  of(request: Sent, email: string): Knowledge {
    const key = keyOf(request.documentId, email);
    if (this.signed.has(key)) return 'signed';
    return this.waiting.has(key) ? 'waiting' : 'not-known';
  }
}

const keyOf = (documentId: string | null, email: string | null) => `${documentId} ${email}`.toLowerCase();

/** Whoever is known to wait is waited for, whatever the others did; without such a person it is known only if everybody is. */
function stateOf(known: readonly Knowledge[]): TrackedGroup['state'] {
  if (known.includes('waiting')) return known.includes('signed') ? 'partly-signed' : 'waiting';
  return known.includes('not-known') ? 'not-known' : 'complete';
}

/** The same numbers in every run. */
function randomNumbers(seed: number): () => number {
  let value = seed;
  return () => {
    value = (value * 1_103_515_245 + 12_345) % 2_147_483_648;
    return value / 2_147_483_648;
  };
}

async function ready() {
  const [dataDir, folder, service] = [await newFolder(), await newFolder(), await newService()];
  await service.control.setCredits({ document: 5_000, prepaid: 5_000, eSign: 5_000 });
  const observer = await newCore({ pace: never });
  const open = async (core: RunningCore, known?: string) => {
    const id = known ?? (await connect(core, service, { parallel: 4 }));
    const { connections } = await core.must('connections.state', {});
    const found = connections.find((one) => one.id === id);
    if (!found) throw new Error('no such connection');
    await core.must('connections.save', { id, settings: { ...settingsOfConnection(found), maxItems: cut } });
    await core.must('connections.setCredentials', { id, apiKey: service.apiKey, apiSig: service.apiSig });
    return id;
  };
  return { dataDir, folder, service, observer, observerId: await open(observer), open };
}
type Ready = Awaited<ReturnType<typeof ready>>;

async function send({ folder, service }: Ready, core: RunningCore, connectionId: string, from: number, to: number) {
  const sent: Sent[] = [];
  const sendOne = async (n: number) => {
    const isTemplate = n % Math.floor(plain / templates) === 7;
    const name = `Lease ${n}`;
    const emails = [`ana${n}@example.com`, `bo${n % 40}@example.com`, 'mei@example.com'].slice(
      0,
      isTemplate ? 1 : 1 + (n % 3),
    );
    const [path = ''] = await writePdfs(folder, [`${name}.pdf`]);
    const file = { creditType: 2, fileToken: (await core.core.acceptPath(path)).token, kind: 'plain' as const };
    const template = { kind: 'easy-sign-template' as const, templateId: 'TPL-1003' };
    const given = { ...(isTemplate ? template : file), connectionId, emails, documentName: name };
    const [job] = await untilEnded(core, (await core.must('signatures.request', given)).batchId);
    // The answer of a template is an address: the test knows the document from the service itself.
    const own = service.control.documents().find((document) => document.name === name);
    expect(job?.documentId ?? null).toBe(isTemplate ? null : own?.documentId);
    sent.push({ name, emails, documentId: own?.documentId ?? '', isTemplate, signed: new Set() });
  };
  const atOnce = 10;
  for (let at = from; at < to; at += atOnce)
    await Promise.all(Array.from({ length: Math.min(atOnce, to - at) }, (_each, more) => sendOne(at + more)));
  return sent;
}

async function signSome({ service }: Ready, all: readonly Sent[], times: number, random: () => number): Promise<void> {
  for (let n = 0; n < times; n += 1) {
    const one = all[Math.floor(random() * all.length)];
    const email = one?.emails.find((each) => !one.signed.has(each));
    if (!one || !email) continue;
    await service.control.sign(one.documentId, email);
    one.signed.add(email);
    // The service orders signatures by their millisecond.
    await sleep(2);
  }
}

/** Both programs read the lists while nothing else happens. */
async function readLists(given: Ready, core: RunningCore, connectionId: string, observed: Observed): Promise<void> {
  for (const listType of [1, 2]) {
    const from = new Date().toISOString();
    await core.must('signatures.refresh', { connectionId, listType });
    const to = new Date().toISOString();
    const { observer, observerId } = given;
    const { total } = await observer.must('signatures.refresh', { connectionId: observerId, listType });
    expect(total).toBeLessThanOrEqual(cut);
    const { entries } = await observer.must('tracking.entries', { connectionId: observerId, listType, limit: cut });
    observed.take(
      listType,
      entries.map(({ origDocumentId, email }) => keyOf(origDocumentId, email)),
      from,
      to,
    );
  }
}

async function allGroups(core: RunningCore, connectionId: string, query = {}): Promise<readonly TrackedGroup[]> {
  const { groups, total } = await core.must('tracking.groups', { connectionId, limit: 500, ...query });
  expect(groups).toHaveLength(total);
  return groups;
}

/** What is shown of each request, beside what was sent and signed. */
function compare(all: readonly Sent[], groups: readonly TrackedGroup[], observed: Observed): string[] {
  const wrong: string[] = [];
  for (const request of all) {
    const found = groups.filter(({ documentName }) => documentName === request.name);
    const [group] = found;
    if (!group || found.length !== 1) {
      wrong.push(`${request.name}: shown ${found.length} times`);
      continue;
    }
    const known = request.emails.map((email) => observed.of(request, email));
    const signed = known.filter((one) => one === 'signed').length;
    if (group.signedCount !== signed || group.signerCount !== known.length || group.state !== stateOf(known))
      wrong.push(
        `${request.name}: ${group.signedCount} of ${group.signerCount}, ${group.state}; ${signed} of ${known}`,
      );
    for (const [at, signer] of group.signers.entries()) {
      if (signer.email !== request.emails[at] || signer.state !== known[at])
        wrong.push(`${request.name}: ${signer.email} ${signer.state}`);
      if (signer.state === 'signed' && !request.signed.has(signer.email ?? ''))
        wrong.push(`${request.name}: nobody signed`);
      const time = observed.signed.get(keyOf(request.documentId, signer.email));
      const isTime = time ? (signer.at ?? '') >= time.from && (signer.at ?? '') <= time.to : signer.at === null;
      if (signer.state === 'signed' && !isTime) wrong.push(`${request.name}: ${signer.email} signed at ${signer.at}`);
    }
  }
  return wrong;
}

/** Document, address and signature of each line. */
async function exported(
  core: RunningCore,
  connectionId: string,
  format: 'csv' | 'xlsx',
  all: readonly Sent[],
  observed: Observed,
): Promise<readonly string[]> {
  const path = join(core.dataDir, `requests.${format}`);
  core.dialogs.targets.push(path);
  await core.must('tracking.export', { connectionId, format });
  // The ID that a list named for a signer stays when the signer left it; who was in none has that of the request.
  const idColumn = 'Document ID (asked about)';
  const named = await linesOf(path, ['Document', 'E-mail', idColumn]);
  const ids = await linesOf(path, ['Original document ID', idColumn]);
  expect(ids.filter((line) => /^[-0-9a-f]{36} $/i.test(line))).toEqual([]);
  const isNamed = (one: Sent, email: string) => observed.everListed.has(keyOf(one.documentId, email));
  const listed = all.flatMap((one) =>
    one.emails.flatMap((email) => (isNamed(one, email) ? `${one.name} ${email}` : [])),
  );
  const found = named.flatMap((line) => /^(.+) [-0-9a-f]{36}$/i.exec(line)?.[1] ?? []);
  expect(listed.filter((line) => !found.includes(line))).toEqual([]);
  return await linesOf(path, ['Document', 'E-mail', 'Signature']);
}

const linesOf = async (path: string, columns: readonly string[]) => (await inOrder(path, columns)).sort();

async function inOrder(path: string, columns: readonly string[]): Promise<string[]> {
  const { headings, rows } = await readTable({ path }, 'en');
  const at = columns.map((name) => headings.indexOf(name));
  return rows.map(({ cells }) => at.map((column) => cells[column]).join(' '));
}

/** What a file has of each view: the rows on the screen, in their order, with all signers of each, and no other; the count that is said is that of the view. */
async function compareExports(core: RunningCore, connectionId: string, day: string) {
  const path = join(core.dataDir, 'view.csv');
  const exportOf = async (view: Omit<CallInput<'tracking.export'>, 'connectionId' | 'format'>) => {
    core.dialogs.targets.push(path);
    const saved = await core.must('tracking.export', { connectionId, format: 'csv', ...view });
    return { saved, lines: await inOrder(path, ['Document', 'E-mail', 'Signature']) };
  };
  const of = [...requestStates, 'open' as const, 'elsewhere' as const, null].map((request) => ({ request }));
  const narrowed = [
    { search: 'lease 1' },
    { person: 'bo1' },
    { document: 'lease 2' },
    { listType: 1 },
    { listType: 2 },
  ];
  const others = [{ from: day }, { to: day }, { to: '2020-01-01' }, { changedOnly: true }, { dueOnly: true }];
  const together = { request: 'partly-signed' as const, search: 'lease', person: 'mei', descending: false };
  for (const view of [...of, ...narrowed, ...others, together]) {
    const groups = await allGroups(core, connectionId, view);
    const { saved, lines } = await exportOf(view);
    const shown = groups.flatMap(({ documentName, signers, job }) =>
      signers.map(({ email, state }) =>
        [documentName, email, job ? 'Refused by the service' : state.replace('-', ' ')].join(' '),
      ),
    );
    expect(lines, JSON.stringify(view)).toEqual(shown);
    expect(saved).toEqual({ fileName: 'view.csv', requestCount: groups.length, rowCount: shown.length });
  }
  for (const view of [{}, { listType: 1 }, { listType: 2, search: 'lease 1', sort: 'email' as const }]) {
    const { entries, total } = await core.must('tracking.entries', { connectionId, limit: 500, ...view });
    const { saved, lines } = await exportOf({ grouped: false, ...view });
    expect(lines).toEqual(entries.map(({ documentName, email, state }) => [documentName, email, state].join(' ')));
    expect(saved).toEqual({ fileName: 'view.csv', requestCount: null, rowCount: total });
  }
}

/** Activity, its batches and its list beside what was sent: nothing is counted twice, and nothing is left out. */
async function compareActivity(core: RunningCore, sent: { readonly done: number; readonly refused: number }) {
  const { counts, total } = await core.must('jobs.list', { limit: 1 });
  const none = { prepared: 0, waiting: 0, sending: 0, failed: 0, 'passed-over': 0, 'in-doubt': 0, cancelled: 0 };
  expect(counts).toEqual({ ...none, ...sent });
  expect(total).toBe(sent.done + sent.refused);
  const sums = { done: 0, refused: 0 };
  for (let offset = 0; ; offset += 100) {
    const page = await core.must('jobs.batches', { offset, limit: 100 });
    for (const batch of page.batches) {
      sums.done += batch.counts.done;
      sums.refused += batch.counts.refused;
    }
    if (offset + page.batches.length >= page.total) break;
  }
  expect(sums).toEqual(sent);
  const path = join(core.dataDir, 'activity.xlsx');
  core.dialogs.targets.push(path);
  await core.must('documents.saveBatch', { format: 'xlsx' });
  const states = await linesOf(path, ['State']);
  const isRefused = (state: string) => /refused/i.test(state);
  expect([states.filter((state) => !isRefused(state)).length, states.filter(isRefused).length]).toEqual([
    sent.done,
    sent.refused,
  ]);
}

/** Home beside the requests as they are shown; signatures whose time is known are new if they were seen since the last visit. */
async function compareHome(core: RunningCore, connectionId: string, today: string, left: number, taken: number) {
  const home = await core.must('home.summary', { connectionId, today, isHere: true });
  const groups = await allGroups(core, connectionId);
  const { count, longCount, longUntil } = home.waiting;
  const open = groups.filter(({ state }) => state === 'waiting' || state === 'partly-signed');
  expect(await allGroups(core, connectionId, { request: 'open' })).toEqual(open);
  const long = await allGroups(core, connectionId, { request: 'open', to: longUntil });
  const unknown = await allGroups(core, connectionId, { request: 'not-known', to: longUntil });
  expect([count, longCount, home.waiting.unknownLongCount, home.isEmpty]).toEqual([
    ...[open.length, long.length, unknown.length],
    false,
  ]);
  const { since } = home.signed;
  const isNew = (at: string | null) => since !== null && at !== null && at > since;
  const signed = groups.filter(({ signers }) => signers.some(({ state, at }) => state === 'signed' && isNew(at)));
  expect(home.signed.count).toBe(signed.length);
  expect(home.signed.requests).toHaveLength(Math.min(3, signed.length));
  for (const { documentName, signedCount, signerCount } of home.signed.requests)
    expect(signed.find((group) => group.documentName === documentName)).toMatchObject({ signedCount, signerCount });
  expect(home.sent).toEqual({ count: left, taken });
  return home;
}

/** Paths of the registered files, with the time in which each was sent. */
type Registered = Map<string, { readonly from: string; readonly to: string }>;

/** The receipt of each document beside the file, its name and the service's ID, with times of its own sending, whatever happened since. */
async function compareReceipts({ service }: Ready, core: RunningCore, connectionId: string, files: Registered) {
  const ids = new Map(service.control.documents().map(({ name, documentId }) => [name, documentId]));
  for (const [path, { from, to }] of files) {
    const name = basename(path, '.pdf');
    const documentId = ids.get(name) ?? '';
    const { file, document, answer, times } = await receiptOf(core, { connectionId, documentId });
    const bytes = await readFile(path);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect([file, document.id, document.name, answer]).toEqual([
      { name: basename(path), sizeBytes: bytes.length, sha256 },
      documentId,
      name,
      { raw: documentId, isAcceptedByPerson: false },
    ]);
    const order = [from, times.taken, times.departed, times.answerBegan, times.answered, to];
    expect(order, name).toEqual([...order].sort());
    expect(times.matched).toBeNull();
  }
}

/** A verification of all registered files, one that was changed and one that is not known: its counts, its results, and both reports beside what was sent. */
async function compareVerification({ folder }: Ready, core: RunningCore, connectionId: string, files: Registered) {
  const [first = ''] = files.keys();
  const [changed, unknown] = [join(folder, 'changed.pdf'), join(folder, 'unknown.pdf')];
  await writeFile(changed, Buffer.concat([await readFile(first), Buffer.from('\n% changed')]));
  await writeFile(unknown, pdf('never sent'));
  const { id: intakeId } = await scan(core, [...files.keys(), changed, unknown], 'verify');
  const from = new Date().toISOString();
  const { runId } = await core.must('verify.start', { connectionId, intakeId });
  await core.untilTask(
    'verification',
    ({ progress: { run } }) => run.runId === runId && run.state === 'finished',
    60_000,
  );
  const { run, results } = await core.must('verify.results', { runId, limit: 500 });
  const none = { 'confirmed-with-remark': 0, 'not-pdf': 0, unclear: 0, 'no-answer': 0 };
  expect(run.counts).toEqual({ ...none, confirmed: files.size, 'not-confirmed': 2 });
  expect([run.total, run.answered, run.calls, run.leftOut]).toEqual([
    files.size + 2,
    files.size + 2,
    files.size + 2,
    0,
  ]);
  const names = new Set(Array.from(files.keys(), (path) => basename(path)));
  for (const { name, answer, knownHere, askedAt } of results) {
    const isSent = names.has(name);
    expect([answer?.group, knownHere?.name], name).toEqual(
      isSent ? ['confirmed', basename(name, '.pdf')] : ['not-confirmed', undefined],
    );
    expect((askedAt ?? '') >= from).toBe(true);
  }
  const json = JSON.parse((await reported({ core, folder }, runId, 'json')).bytes.toString());
  expect([json.run.counts, json.files.length]).toEqual([run.counts, run.total]);
  const { path } = await reported({ core, folder }, runId, 'csv');
  const groups = await linesOf(path, ['group']);
  expect(groups).toEqual(results.map(({ answer }) => answer?.group).sort());
  return run;
}

function signersOf(all: readonly Sent[], observed: Observed): readonly string[] {
  return all
    .flatMap((one) => one.emails.map((email) => `${one.name} ${email} ${observed.of(one, email).replace('-', ' ')}`))
    .sort();
}

/** The person's own reminders: what was noted for each request, and whether its day has come. */
type Reminders = Map<string, { readonly note: string; readonly isDue: boolean }>;

/** Reminders stay, are counted and are shown with their requests, also of those that no list has any more. */
async function compareReminders(core: RunningCore, connectionId: string, reminders: Reminders) {
  const shown = await allGroups(core, connectionId, { dueOnly: true });
  expect(new Map(shown.map(({ documentName, due }) => [documentName, due?.note]))).toEqual(
    new Map(Array.from(reminders, ([name, { note }]) => [name, note])),
  );
  expect((await core.must('tracking.state', { connectionId })).dueCount).toBe(reminders.size);
}

/** The day in this computer's time zone. */
function today(): string {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}

const sumOf = ({ requests: { elsewhere: _, ...own } }: TrackingState) =>
  Object.values(own).reduce((sum, n) => sum + n, 0);

/** The time passes in which a list may not yet have what was sent, and until a person comes back. */
function letAnHourPass(dataDir: string): void {
  const sql = openSql(join(dataDir, 'sealdesk.db'));
  sql.run(
    "UPDATE settings SET value = json_set(value, '$.last', strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-1 hour')) WHERE key LIKE 'home.%'",
  );
  sql.run(
    "UPDATE jobs SET attempt_ended_at = strftime('%Y-%m-%dT%H:%M:%fZ', attempt_ended_at, '-1 hour') WHERE state = 'done'",
  );
  sql.close();
}

describe('301 requests with a service whose lists are cut', () => {
  it('are all shown, each with the signers, signatures, state and times that were seen, and the counts add up', async () => {
    const given = await ready();
    const random = randomNumbers(7);
    const [observed, all, announced]: [Observed, Sent[], number[]] = [new Observed(), [], []];
    const signedSince: number[] = [];
    const registeredFiles: Registered = new Map();
    const verified: VerifyRun[] = [];
    const reminders: Reminders = new Map();
    const reminded: string[] = [];
    let connectionId: string | undefined;
    const day = today();
    for (let turn = 0; turn < turns; turn += 1) {
      const core = await newCore({ dataDir: given.dataDir, pace: { ...never, remindMs: 100 } });
      const id = await given.open(core, connectionId);
      connectionId = id;
      const share = (n: number) => [Math.floor((n * turn) / turns), Math.floor((n * (turn + 1)) / turns)] as const;
      const files = Array.from(
        { length: share(documents)[1] - share(documents)[0] },
        (_each, n) => `doc-${turn}-${n}.pdf`,
      );
      const from = new Date().toISOString();
      const paths = await writePdfs(given.folder, files);
      await untilEnded(core, await register(core, id, paths), 60_000);
      for (const path of paths) registeredFiles.set(path, { from, to: new Date().toISOString() });
      for (let n = share(refused)[0]; n < share(refused)[1]; n += 1) {
        const none = {
          kind: 'easy-sign-template' as const,
          connectionId: id,
          templateId: 'none such',
          emails: [`no${n}@example.com`],
        };
        await untilEnded(core, (await core.must('signatures.request', none)).batchId);
      }
      const [firstSent, lastSent] = share(plain + templates);
      const middle = Math.floor((firstSent + lastSent) / 2);
      all.push(...(await send(given, core, id, firstSent, middle)));
      // Every other turn nobody looks while the rest is sent and signed.
      if (turn % 2 === 0) await readLists(given, core, id, observed);
      await signSome(given, all, 50, random);
      all.push(...(await send(given, core, id, middle, lastSent)));
      await signSome(given, all, 30, random);
      for (let reading = 0; reading < 2; reading += 1) {
        await readLists(given, core, id, observed);
        const groups = await allGroups(core, id);
        expect(compare(all, groups, observed)).toEqual([]);
        const state = await core.must('tracking.state', { connectionId: id });
        const sent = all.length + share(refused)[1];
        expect([groups.length, sumOf(state), state.requests.elsewhere]).toEqual([sent, sent, 0]);
        for (const one of ['needs-you', 'waiting', 'partly-signed', 'complete', 'not-known'] as const) {
          const shown = await allGroups(core, id, { request: one });
          expect(shown.map((group) => group.state)).toEqual(Array(state.requests[one]).fill(one));
        }
        expect(state.requests['needs-you']).toBe(share(refused)[1]);
        for (const format of ['csv', 'xlsx'] as const) {
          const lines = await exported(core, id, format, all, observed);
          const isTaken = (line: string) => !line.endsWith(' Refused by the service');
          expect(lines.filter(isTaken)).toEqual(signersOf(all, observed));
          expect(lines.length - lines.filter(isTaken).length).toBe(share(refused)[1]);
        }
        await compareExports(core, id, day);
        const registered = share(documents)[1];
        const home = await compareHome(core, id, day, sent + registered, all.length + registered);
        // Also in the first visit: what came since it began is news.
        expect(home.signed.since).not.toBeNull();
        await compareActivity(core, { done: all.length + registered, refused: share(refused)[1] });
        // The number in the rail: all that the service took, also from templates, which name no document until a list names it.
        const withId = registered + groups.filter(({ origDocumentId }) => origDocumentId !== null).length;
        const page = (offset: number) => core.must('documents.list', { connectionId: id, offset, limit: 500 });
        const [top, rest] = [await page(0), await page(500)];
        expect([top.total, [...top.rows, ...rest.rows].filter(({ documentId }) => documentId !== null).length]).toEqual(
          [registered + all.length, withId],
        );
        signedSince.push(home.signed.count ?? 0);
        // A search puts the request of this name first, then the newest whose name begins with it, then what is found by an ID.
        const named = groups.filter(({ documentName }) => /^Lease 1\d/.test(documentName ?? ''));
        const [first, ...others] = await allGroups(core, id, { search: 'lease 1' });
        expect([first?.documentName, ...others.slice(0, named.length)]).toEqual(['Lease 1', ...named]);
        // The lists are views of the same requests.
        const listed = await allGroups(core, id, { listType: 2 });
        expect(listed.map((group) => groups.find((one) => one.id === group.id))).toEqual(listed);
      }
      // The oldest and the newest one of which the service named the document.
      const known = all.filter(({ name, isTemplate }) => !isTemplate && !reminders.has(name));
      for (const [one, isDue] of [[known.at(0), true] as const, [known.at(-1), turn % 2 === 0] as const]) {
        const { name, documentId } = one ?? { name: '', documentId: '' };
        const due = { date: isDue ? '2020-01-01' : '2999-01-01', note: `Call about ${name}` };
        await core.must('tracking.setDue', { connectionId: id, documentId, ...due });
        reminders.set(name, { note: due.note, isDue });
      }
      await compareReminders(core, id, reminders);
      const due = [...reminders.values()].filter(({ isDue }) => isDue).map(({ note }) => note);
      const told = () => core.notified.map(({ body }) => due.find((note) => body.endsWith(note)) ?? '').filter(Boolean);
      await until(() => reminded.length + told().length >= due.length);
      await compareReceipts(given, core, id, registeredFiles);
      verified.push(await compareVerification(given, core, id, registeredFiles));
      // What was verified by earlier programs is told as it was.
      expect((await core.must('verify.runs', {})).runs).toEqual(verified.toReversed());
      const news = core.events
        .filter(({ name }) => name === 'tracking.signed')
        .map(({ value }) => value as { count: number });
      announced.push(...news.map(({ count }) => count));
      reminded.push(...told());
      // Each is told once.
      expect(reminded.toSorted()).toEqual(due.toSorted());
      await core.stop();
      letAnHourPass(given.dataDir);
    }
    expect(all).toHaveLength(plain + templates);
    expect(Math.max(...signedSince)).toBeGreaterThan(3);
    // What was there when a list was read first is no news; a signature that comes back to a cut list is none either.
    const news = [...observed.signed.values()].filter((time) => time !== null).length;
    expect(announced.reduce((sum, n) => sum + n, 0)).toBe(news);
  }, 240_000);
});

/** Rows of a bulk: the service's answer to the first ones is lost, it refuses the next ones, and a person takes the last ones back. */
const [rowCount, lost, refusedRows, takenBack] = atLength({ short: [14, 2, 3, 4], all: [300, 20, 30, 40] });

describe('a bulk', () => {
  it('is counted row by row as the service got and answered it, also after a correction, a decision and a restart', async () => {
    const [dataDir, folder, service] = [await newFolder(), await newFolder(), await newService()];
    await service.control.setCredits({ document: 1_000, prepaid: 1_000, eSign: 1_000 });
    service.control.misbehave([
      { mischief: { kind: 'drop-after' }, operation: 'AddNewDocumentESign', times: lost },
      { mischief: { kind: 'answer', text: '-123' }, operation: 'AddNewDocumentESign', times: refusedRows },
    ]);
    const core = await newCore({ dataDir, waitBeforeSeconds: 60 });
    const connectionId = await connect(core, service, { parallel: 1, doubtLimit: 100 });
    const [path = ''] = await writePdfs(folder, ['lease.pdf']);
    const fileToken = (await core.core.acceptPath(path)).token;
    const emails = Array.from({ length: rowCount }, (_each, n) => `ana${n}@example.com`);
    const table = join(folder, 'people.csv');
    await writeFile(table, ['E-mail;Document name', ...emails.map((email) => `${email};Lease ${email}`)].join('\n'));
    const tableToken = (await core.core.acceptPath(table)).token;
    const content = { kind: 'plain' as const, fileToken, creditType: 2 as const };
    const { id } = await core.must('bulk.check', { connectionId, tableToken, content });
    await core.must('bulk.send', { id, rows: 'all', perMinute: 6_000 });
    const rowsOf = async (running: RunningCore, which: BulkFilter) =>
      await running.must('bulk.rows', { id, which, limit: 500 });
    await until(async () => (await rowsOf(core, 'waiting')).total === rowCount, 60_000);
    // Nothing has left: nobody waits for anybody.
    const { requests } = await core.must('tracking.state', { connectionId });
    expect(requests).toMatchObject({ 'not-sent': rowCount, waiting: 0 });
    const today = new Date().toISOString().slice(0, 10);
    // No list was ever read, and none says that nobody waits.
    expect((await core.must('home.summary', { connectionId, today, isHere: true })).waiting.count).toBeNull();
    const { batchId } = await bulkOf(core, id);
    const waiting = (await rowsOf(core, 'waiting')).rows.map(({ jobId }) => jobId ?? '');
    const back = waiting.slice(-takenBack);
    expect(await core.must('jobs.takeBack', { jobIds: back })).toEqual({ jobIds: back });
    await core.must('jobs.sendNow', { batchId: batchId ?? '' });
    await untilEnded(core, batchId ?? '', 60_000);
    await until(async () => (await bulkOf(core, id)).state === 'finished');

    /** By what the service got, each address once, and what it answered. */
    const arrived = () =>
      service.control
        .seen()
        .flatMap(({ operation, children }) => (operation === 'AddNewDocumentESign' ? [String(children.Emails)] : []));
    const taken = () => new Set(service.control.documents().map(({ name }) => name?.replace('Lease ', '')));
    let decided = 0;
    const compareCounts = async (running: RunningCore) => {
      expect(new Set(arrived()).size).toBe(rowCount - takenBack);
      const { counts, state } = await bulkOf(running, id);
      const inDoubt = lost - decided;
      const done = taken().size - inDoubt;
      const left = { ready: 0, withErrors: 0, withWarnings: 0, sentBefore: 0, waiting: 0, asking: 0 };
      const refused = rowCount - takenBack - taken().size;
      expect(counts).toEqual({
        ...left,
        queued: rowCount - takenBack,
        done,
        refused,
        failed: 0,
        inDoubt,
        cancelled: takenBack,
        passedOver: 0,
        sentLastMinute: counts.sentLastMinute,
      });
      expect(state).toBe('finished');
      // What was corrected or sent again left twice; of one that a person accepted unchecked the service confirmed nothing.
      const home = await running.must('home.summary', { connectionId, today, isHere: true });
      expect(home.sent).toEqual({ count: arrived().length, taken: done - decided });
      // Each filter has as many rows as its chip says, and every row is in one.
      const filtered = await Promise.all(
        bulkFilters
          .filter((which) => which !== 'all')
          .map(async (which) => [which, (await rowsOf(running, which)).total]),
      );
      const none = { errors: 0, warnings: 0, before: 0, ready: 0, asking: 0, waiting: 0, failed: 0 };
      const shown = { ...none, done, refused, 'in-doubt': inDoubt, cancelled: takenBack };
      expect(Object.fromEntries(filtered)).toEqual(shown);
      const { rows } = await rowsOf(running, 'done');
      for (const { people, documentId } of rows)
        expect(service.control.documents().find((one) => one.documentId === documentId)?.name).toBe(
          `Lease ${people[0]?.email}`,
        );
      const target = join(folder, `results-${decided}.csv`);
      running.dialogs.targets.push(target);
      await running.must('bulk.saveResults', { id, format: 'csv' });
      const words = {
        Sent: done,
        'Refused by the service': refused,
        'In doubt: no clear answer': inDoubt,
        Cancelled: takenBack,
      };
      const expected = Object.entries(words).flatMap(([word, times]) => Array<string>(times).fill(word));
      expect(await linesOf(target, ['Result'])).toEqual(expected.sort());
    };
    await compareCounts(core);

    // A refused one is corrected and sent.
    service.control.misbehave(null);
    const [first] = (await rowsOf(core, 'refused')).rows;
    const correction = await core.must('corrections.open', { jobId: first?.jobId ?? '' });
    if (correction.kind !== 'request') throw new Error(`it is a ${correction.kind}`);
    const { content: typed } = await core.must('forms.open', { id: correction.draftId });
    const corrected = {
      kind: 'plain' as const,
      connectionId,
      draftId: correction.draftId,
      creditType: 2 as const,
      fileToken: typed.fileToken ?? '',
      documentName: typed.documentName,
      emails: typed.recipients.map(({ email }) => email),
    };
    const again = await core.must('signatures.request', corrected);
    await core.must('jobs.sendNow', { batchId: again.batchId });
    await untilJobs(core, again.batchId, (jobs) => jobs.some(({ state }) => state === 'done'));
    await compareCounts(core);

    // One in doubt is accepted as what the service has.
    const [doubt] = (await rowsOf(core, 'in-doubt')).rows;
    const own = service.control.documents().find(({ name }) => name === `Lease ${doubt?.people[0]?.email}`);
    const accepted = { jobId: doubt?.jobId ?? '', documentId: own?.documentId ?? '', isUnchecked: true };
    await core.must('jobs.accept', accepted);
    decided = 1;
    await compareCounts(core);
    await core.stop();
    await compareCounts(await newCore({ dataDir }));
  }, 120_000);
});
