import type { Failure } from '../../../contract/failure.ts';
import { documentIdKey } from '../../../contract/text.ts';
import type { Comparison, ComparisonState, FileHistory } from '../../../contract/verify-result.ts';
import { answerOf, type StoredFile, type StoredRun } from '../../store/verify/verify-rows.ts';
import type { Context } from '../context.ts';
import { showsChanges, stampOf } from '../files/file-stamp.ts';
import { openFile } from '../files/open-file.ts';
import { appError, failureOf } from '../foundation/app-error.ts';
import { retryRead } from '../foundation/backoff.ts';
import { toReadError } from '../foundation/fs-errors.ts';
import { unexpectedFailure } from '../foundation/unexpected.ts';
import { createComparingSink } from './comparing-sink.ts';
import { qualificationOf, resultView } from './result-view.ts';
import type { Verifications } from './verifications.ts';
import { assertSame, statOf, statVerified } from './verify-file.ts';

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
  const service =
    answer && askedAt
      ? { answer, finding, qualification: qualificationOf(answer, raw, failure), raw, failure, askedAt }
      : null;
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
