import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import type { Failure } from '../../../contract/failure.ts';
import { documentIdKey } from '../../../contract/text.ts';
import type { Comparison, ComparisonState, EarlierAnswer, FileHistory } from '../../../contract/verify-result.ts';
import { findingOf } from '../../soap/reply/answers.ts';
import { answerOf, type StoredFile, type StoredRun } from '../../store/verify/verify-rows.ts';
import type { Context } from '../context.ts';
import { showsChanges, stampOf } from '../files/file-stamp.ts';
import { openFile } from '../files/open-file.ts';
import { safeFileName } from '../files/safe-file-name.ts';
import { chooseTarget, saveFile } from '../files/target.ts';
import { appError, failureOf, orNotFound } from '../foundation/app-error.ts';
import { retryRead } from '../foundation/backoff.ts';
import { asRead, toReadError } from '../foundation/fs-errors.ts';
import { retryWhileBusy } from '../foundation/retry-while-busy.ts';
import { unexpectedFailure } from '../foundation/unexpected.ts';
import { createComparingSink } from './comparing-sink.ts';
import { originOf, qualificationOf, resultView } from './result-view.ts';
import { toOwnVerdict } from './stored-signatures.ts';
import type { Verifications } from './verifications.ts';
import { assertSame, statOf, statVerified, type VerifyContext } from './verify-file.ts';

/** A person waits for the comparison, so the service is asked only twice. */
const tries = 2;
/** Limit of registrations, and of downloads, of the same bytes. */
const maxKnown = 100;
/** Number of ended tasks kept; the last comparison of a file is in the store. */
const known = 100;

/** The history of a file, and its comparison with the document that the service returns. */
export function createComparisons(context: Context, verifications: Pick<Verifications, 'row'>) {
  const { store, tasks } = context;
  const comparisons = tasks.ofKind('comparison', { known });
  const runningFor = (runId: string, index: number) =>
    comparisons.running().find(({ progress }) => progress.runId === runId && progress.index === index);
  return {
    /** Throws not-found. */
    history: (runId: string, index: number): FileHistory => {
      const { run, row } = verifications.row(runId, index);
      const { copy, ...known } = historyOf(store, run, row);
      return { runId, index, ...known, copy: runningFor(runId, index)?.progress.comparison ?? copy };
    },
    /** Resolves with the started task. Rejects with not-found, bad-input or not-connected. */
    start: async (runId: string, index: number, requestedId: string | undefined): Promise<Comparison> => {
      const { run, row } = verifications.row(runId, index);
      const documentId = requestedId ?? knownOf(store, run, row).comparableIds[0];
      if (documentId === undefined)
        throw appError('bad-input', 'no document with these bytes is known here', {
          fields: { documentId: 'is needed' },
        });
      await context.connections.client(run.connection_id);
      if (runningFor(runId, index)) throw appError('bad-input', 'the file is being compared');
      const progress = { runId, index, name: row.name, comparison: initialComparison(documentId) };
      return comparisons.start({ progress, data: null }, async ({ signal, report }) => {
        let { comparison } = progress;
        comparison = await compare(context, run, row, comparison, signal, (comparedBytes) => {
          comparison = { ...comparison, comparedBytes };
          report(() => ({ comparison }));
        });
        // The comparison belongs to the compared version; a later version is another file.
        if (store.verifyFiles.bySeq(row.seq)) store.verifyFiles.compared(row.seq, comparison);
        if (comparison.state === 'stopped') {
          // A stopped task has no result: it ends with the progress that was reported, and before the first byte none was.
          report({ comparison });
          signal.throwIfAborted();
        }
        return { comparison };
      }).task.progress.comparison;
    },
  };
}

/** What is stored about a file. */
function historyOf(store: Context['store'], run: StoredRun, row: StoredFile) {
  const { name, folder, sizeBytes, sha256, finding, raw, failure, askedAt, ...result } = resultView(store, run)(row);
  const { comparison: copy, namesake, signatures, origin, askedAndFound } = result;
  const answer = answerOf(row);
  const qualification = answer && qualificationOf(answer, raw, failure);
  const service = answer && qualification && { answer, finding, qualification, raw, failure, askedAt };
  const own = { signatures, origin, askedAndFound };
  return { name, folder, sizeBytes, sha256, ...knownOf(store, run, row), namesake, service, copy, ...own };
}

/** What this computer knows about the bytes of a file. */
function knownOf(
  store: Context['store'],
  { connection_id }: StoredRun,
  { sha256 }: StoredFile,
): Pick<FileHistory, 'here' | 'downloads' | 'comparableIds'> {
  if (sha256 === null) return { here: [], downloads: [], comparableIds: [] };
  const here = store.documents.allKnownBySha256(sha256, connection_id, maxKnown);
  const downloads = store.downloads.bySha256(sha256, connection_id, maxKnown);
  const ids = new Map<string, string>();
  for (const { connectionId, documentId } of [...here, ...downloads]) {
    if (documentId === null || connectionId !== connection_id) continue;
    const key = documentIdKey(documentId);
    if (!ids.has(key)) ids.set(key, documentId);
  }
  return { here, downloads, comparableIds: [...ids.values()] };
}

function initialComparison(documentId: string): Comparison {
  return {
    state: 'comparing',
    documentId,
    comparedBytes: 0,
    copySizeBytes: null,
    copySha256: null,
    firstDifferenceAt: null,
    raw: null,
    failure: null,
    askedAt: new Date().toISOString(),
  };
}

/** Never rejects: failures are part of the result. */
async function compare(
  context: Context,
  run: StoredRun,
  row: StoredFile,
  base: Comparison,
  signal: AbortSignal,
  onCompared: (comparedBytes: number) => void,
): Promise<Comparison> {
  try {
    const client = await context.connections.client(run.connection_id);
    const before = await statVerified(row, signal);
    const compared = await retryRead(
      async () => {
        const file = await openFile(row.path);
        try {
          const sink = createComparingSink(file);
          const onReceived = () => onCompared(sink.sizeBytes);
          await client.receive(base.documentId, sink, { signal, onReceived });
          return await sink.finish();
        } finally {
          await file.close();
        }
      },
      { tries, signal },
    );
    if (stampOf(await statOf(row.path)) !== stampOf(before))
      throw appError('file-changed', 'the file changed while it was compared');
    if (!showsChanges(before)) await assertSame(row, signal);
    const state = compared.firstDifferenceAt === null ? 'same' : 'different';
    return { ...base, ...compared, comparedBytes: compared.copySizeBytes, state };
  } catch (thrown) {
    if (signal.aborted) return { ...base, state: 'stopped' };
    const failure =
      failureOf(toReadError(thrown)) ?? unexpectedFailure(thrown, { task: 'comparison' }, context.ports.log);
    return { ...base, state: stateFor(failure), raw: failure.raw ?? null, failure };
  }
}

/** If the service refuses this caller the document, that is a result; after any other failure the next try may succeed. */
function stateFor({ code, detail }: Failure): ComparisonState {
  const isRefused = code === 'service-refused' && (detail === 'negative-code' || detail === 'no-document-in-reply');
  return isRefused ? 'no-copy' : 'no-answer';
}

const chunkBytes = 512 * 1024;

/** What a person does with what a file itself shows. All reject with not-found. */
export function createEarlierRevisions(context: VerifyContext, { row: find }: Pick<Verifications, 'row'>) {
  const { store, ports, answers } = context;
  const found = (runId: string, index: number) => {
    const { run, row } = find(runId, index);
    const origin = orNotFound(originOf(store, run, row), 'no beginning of this file is known here');
    return { run, row, origin };
  };
  return {
    /** Saves the beginning of the file that is known here; answers the name of the file, null if the person cancelled. Rejects with file-changed. */
    save: async (runId: string, index: number): Promise<string | null> => {
      const { row, origin } = found(runId, index);
      const name = (origin.registered ?? origin.downloaded)?.name || row.name;
      const target = await chooseTarget(ports.dialogs, safeFileName(withPdf(name), row.name));
      return target && basename(await saveFile(target, beginningOf(row, origin)));
    },
    /** Asks the service about that beginning: one call. Rejects as a verification does. */
    ask: async (runId: string, index: number): Promise<EarlierAnswer> => {
      const { run, row, origin } = found(runId, index);
      const client = await context.connections.client(run.connection_id);
      // The service gets a file of exactly these bytes, as a sent file must not be longer than it says.
      const path = await context.arrivals.take(beginningOf(row, origin));
      try {
        const document = { path, sizeBytes: origin.sizeBytes, sha256: origin.sha256 };
        const { raw } = await client.invoke('ValidateDocument', { ServiceDocument: document }, {});
        const answer = answers.verdict(raw, run.connection_id);
        await retryWhileBusy(() => answers.saw('verdict', raw, run.connection_id));
        return { answer, finding: findingOf(raw, answer), raw, askedAt: new Date().toISOString() };
      } finally {
        await rm(path, { force: true }).catch(() => undefined);
      }
    },
    /** Reads the signatures with a password; false if it does not open the file. Rejects with file-changed. */
    unlock: async (runId: string, index: number, password: string): Promise<boolean> => {
      const { run, row } = find(runId, index);
      const before = await statOf(row.path);
      const answer = await context.signatures.describe(row.path, { password });
      if (answer === null || answer.needsPassword) return false;
      await assertSame(row);
      const after = await statOf(row.path);
      if (before.mtimeNs !== after.mtimeNs || before.ino !== after.ino)
        throw appError('file-changed', 'the file changed while it was read');
      store.verifyFiles.judged(row.seq, toOwnVerdict(answer));
      const now = store.verifyFiles.bySeq(row.seq) ?? row;
      context.emit('verify.answered', { runId, results: [resultView(store, run)(now)] });
      return true;
    },
  };
}

function withPdf(name: string): string {
  return extname(name).toLowerCase() === '.pdf' ? name : `${name}.pdf`;
}

/** The first bytes of a file; rejects with file-changed at their end if they are not those that were hashed. */
async function* beginningOf(
  { path }: StoredFile,
  { sizeBytes, sha256 }: { readonly sizeBytes: number; readonly sha256: string },
): AsyncGenerator<Uint8Array> {
  const file = await asRead(openFile(path));
  try {
    const hash = createHash('sha256');
    for (let at = 0; at < sizeBytes; ) {
      const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, sizeBytes - at));
      const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
      if (bytesRead === 0) break;
      hash.update(buffer.subarray(0, bytesRead));
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
    if (hash.digest('hex') !== sha256) throw appError('file-changed', 'the file is not any more what was verified');
  } finally {
    await file.close();
  }
}
