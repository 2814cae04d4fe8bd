import type { Failure } from '../../../contract/failure.ts';
import type { Comparison, ComparisonState, FileHistory } from '../../../contract/verify-result.ts';
import { answerOf, type StoredFile, type StoredRun } from '../../store/verify/verify-rows.ts';
import type { Context } from '../context.ts';
import { toReadError } from '../files/fs-errors.ts';
import { hashFile } from '../files/hash-file.ts';
import { openFile } from '../files/open-file.ts';
import { appError, failureOf } from '../foundation/app-error.ts';
import { retryRead } from '../foundation/backoff.ts';
import { throttled } from '../foundation/throttled.ts';
import { createComparingSink } from './comparing-sink.ts';
import { qualificationOf } from './qualify.ts';
import { resultView } from './result-view.ts';
import type { Verifications } from './verifications.ts';
import { stampOf } from './verify-file.ts';

const tellEveryMs = 100;
/** A person waits for it: asked twice, no more. */
const tries = 2;
const maxKnown = 100;

/** The story of a file, and its comparison with what the service hands out. */
export interface Comparisons {
  /** Rejects with not-found. */
  story(runId: string, index: number): FileHistory;
  /** Answers at once; goes on in `verify.compared`. Rejects with not-found, bad-input or not-connected. */
  start(runId: string, index: number, documentId: string | undefined): Promise<Comparison>;
  stop(runId: string, index: number): void;
  close(): Promise<void>;
}

interface Running {
  readonly comparison: Comparison;
  readonly controller: AbortController;
  readonly ended: Promise<unknown>;
}

export function createComparisons(context: Context, verifications: Pick<Verifications, 'row'>): Comparisons {
  const { store } = context;
  const running = new Map<string, Running>();
  const keyOf = (runId: string, index: number) => `${runId} ${index}`;
  const idsFor = (run: StoredRun, row: StoredFile) => {
    const known = row.sha256 === null ? [] : store.documents.allKnownBySha256(row.sha256, run.connection_id, maxKnown);
    const own = known.filter(({ connectionId }) => connectionId === run.connection_id);
    return { known, ids: own.map(({ documentId }) => documentId) };
  };
  return {
    story: (runId, index) => {
      const { run, row } = verifications.row(runId, index);
      const { known, ids } = idsFor(run, row);
      const { name, folder, sizeBytes, sha256, raw, failure, askedAt, comparison } = resultView(store, run, row);
      const answer = answerOf(row);
      const service =
        answer && askedAt
          ? { answer, qualification: qualificationOf(answer, raw, failure), raw, failure, askedAt }
          : null;
      const copy = running.get(keyOf(runId, index))?.comparison ?? comparison;
      return { runId, index, name, folder, sizeBytes, sha256, here: known, service, copy, comparableIds: ids };
    },
    start: async (runId, index, given) => {
      const { run, row } = verifications.row(runId, index);
      const key = keyOf(runId, index);
      if (running.has(key)) throw appError('bad-input', 'the file is being compared');
      const documentId = given ?? idsFor(run, row).ids[0];
      if (documentId === undefined)
        throw appError('bad-input', 'no document with these bytes is known here', {
          fields: { documentId: 'is needed' },
        });
      await context.connections.client(run.connection_id);
      const controller = new AbortController();
      let comparison = begun(documentId);
      const tell = throttled(tellEveryMs, () => context.emit('verify.compared', { runId, index, comparison }));
      const change = (changed: Comparison) => {
        comparison = changed;
        tell.request();
      };
      const ended = compare(context, run, row, comparison, controller.signal, change).then((last) => {
        running.delete(key);
        // Kept with the version that was compared; a later one is another file.
        if (store.verifyFiles.bySeq(row.seq)) store.verifyFiles.compared(row.seq, last);
        change(last);
        tell.flush();
        tell.stop();
      });
      running.set(key, {
        get comparison() {
          return comparison;
        },
        controller,
        ended: ended.catch((error: unknown) =>
          context.ports.log.error('a comparison was not kept', { error: error instanceof Error ? error.name : '' }),
        ),
      });
      return comparison;
    },
    stop: (runId, index) => running.get(keyOf(runId, index))?.controller.abort(),
    close: async () => {
      for (const { controller } of running.values()) controller.abort();
      await Promise.all([...running.values()].map(({ ended }) => ended));
    },
  };
}

function begun(documentId: string): Comparison {
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

/** Never rejects: what stood in the way is part of the answer. */
async function compare(
  context: Context,
  run: StoredRun,
  row: StoredFile,
  base: Comparison,
  signal: AbortSignal,
  tell: (comparison: Comparison) => void,
): Promise<Comparison> {
  try {
    const client = await context.connections.client(run.connection_id);
    const before = await stampOf(row.path);
    if (row.stamp !== null && row.stamp !== before) await assertSame(row, signal);
    const compared = await retryRead(
      async () => {
        const file = await openFile(row.path);
        try {
          const sink = createComparingSink(file);
          const onReceived = () => tell({ ...base, comparedBytes: sink.sizeBytes });
          await client.receive(base.documentId, sink, { signal, onReceived });
          return await sink.finish();
        } finally {
          await file.close();
        }
      },
      { tries, signal },
    );
    if ((await stampOf(row.path)) !== before) throw appError('file-changed', 'the file changed while it was compared');
    const state = compared.firstDifferenceAt === null ? 'same' : 'different';
    return { ...base, ...compared, comparedBytes: compared.copySizeBytes, state };
  } catch (thrown) {
    if (signal.aborted) return { ...base, state: 'stopped' };
    const failure = failureOf(toReadError(thrown)) ?? appError('bug', 'comparing failed in an unexpected way').failure;
    if (failure.code === 'bug')
      context.ports.log.error('comparing failed', { error: thrown instanceof Error ? thrown.name : '' });
    return { ...base, state: stateFor(failure), raw: failure.raw ?? null, failure };
  }
}

/** A story about other bytes than those that were asked about would mislead. */
async function assertSame(row: StoredFile, signal: AbortSignal): Promise<void> {
  const { sha256 } = await hashFile(row.path, signal);
  if (row.sha256 !== null && sha256 !== row.sha256)
    throw appError('file-changed', 'the file is not any more what the service was asked about');
}

/** That the service hands nothing out to this caller is an answer; anything else may be otherwise next time. */
function stateFor({ code, detail }: Failure): ComparisonState {
  const isRefused = code === 'service-refused' && (detail === 'negative-code' || detail === 'no-document-in-reply');
  return isRefused ? 'no-copy' : 'no-answer';
}
