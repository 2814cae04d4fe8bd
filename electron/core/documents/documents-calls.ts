import { basename } from 'node:path';
import type { StatusGroup } from '../../../contract/answers.ts';
import type { DocumentDetails, DocumentRow, StatusRefreshTask } from '../../../contract/documents.ts';
import { type FailureCode, isServiceAway } from '../../../contract/failure.ts';
import type { Handlers, HandlersOf } from '../../../contract/index.ts';
import { isBlank, readDateTime } from '../../soap/reply/answers.ts';
import type { StoredWork } from '../../store/lasting-work/work-runs.ts';
import { acceptedText, askStatus } from '../connections/service-calls.ts';
import type { Context } from '../context.ts';
import { safeFileName } from '../files/safe-file-name.ts';
import { chooseTarget } from '../files/target.ts';
import { appError } from '../foundation/app-error.ts';
import { retryRead } from '../foundation/backoff.ts';
import { registerOrders } from '../jobs/jobs-calls.ts';
import type { Jobs } from '../jobs/start-jobs.ts';
import { createStoredRuns, type StoredRun } from '../lasting-work/stored-runs.ts';
import { createBulkDownloads, createDownloads } from './downloads.ts';
import { createDuplicateChecks } from './duplicate-checks.ts';
import { saveBatch } from './save-batch.ts';

export function documentCalls(context: Context, jobs: Jobs, services: DocumentServices): HandlersOf<'documents'> {
  const { connections, files, store, ports } = context;
  const { downloads } = services;
  return {
    ...documentRunCalls(context, services),
    'documents.register': async ({ connectionId, intakeId, corrects, ...input }) => {
      const chosen = await files.intake(intakeId);
      if (chosen.length === 0)
        throw appError('bad-input', 'there is no usable file', { fields: { intakeId: 'is empty' } });
      // Without credentials, nothing is started.
      await connections.client(connectionId);
      if (new Set(input.duplicates.skip).size >= chosen.length)
        throw appError('bad-input', 'every file is to be skipped', {
          fields: { duplicates: 'leaves nothing to send' },
        });
      if (corrects === undefined) {
        const { batchId, jobIds } = await jobs.enqueue(connectionId, registerOrders(chosen, input));
        return { batchId, jobCount: jobIds.length };
      }
      const [order, another] = registerOrders(chosen, { ...input, isFilled: true });
      if (!order || another)
        throw appError('bad-input', 'one job is corrected by one file', { fields: { intakeId: 'must have one file' } });
      const { batchId } = await jobs.enqueueOne(connectionId, order, () => corrects);
      return { batchId, jobCount: 1 };
    },
    'documents.list': (query) => store.documents.listAside(query),
    'documents.saveBatch': async (list) => {
      let rowCount = 0;
      const path = await saveBatch(context, list, () => (rowCount += 1));
      return path === null ? null : { fileName: basename(path), rowCount };
    },
    'documents.place': async ({ of, ...list }) => {
      const row = store.documents.byDocumentId(of.connectionId, of.documentId);
      if (row === null || (list.connectionId ?? row.connectionId) !== row.connectionId) return null;
      return { row, index: store.documents.indexOf(row.id, list) };
    },
    'documents.history': async ({ connectionId, documentId }) => {
      const jobId = store.documents.byDocumentId(connectionId, documentId)?.jobId ?? null;
      return {
        statuses: store.documents.statusHistory(connectionId, documentId),
        story: jobId === null ? [] : store.jobs.history(jobId),
      };
    },
    'documents.status': ({ connectionId, documentId }) => askStatus(context, connectionId, documentId, { tries: 2 }),
    'documents.details': ({ connectionId, documentId }) => askDetails(context, connectionId, documentId),
    'documents.openById': ({ connectionId, documentId }) => openById(context, connectionId, documentId),
    'documents.download': async ({ connectionId, documentId, suggestedName }) => {
      const row = store.documents.byDocumentId(connectionId, documentId);
      const name = suggestedName || row?.fileName || row?.name || '';
      const target = await chooseTarget(ports.dialogs, safeFileName(name, documentId));
      return target && downloads.start(connectionId, documentId, target, name);
    },
    'documents.showDownload': ({ taskId }) => ports.desktop.showInFolder(downloads.finishedPath(taskId)),
  };
}

/** Calls that start tasks about many documents: duplicate checks, status refreshes, downloads. */
function documentRunCalls({ ports, connections }: Context, { checks, bulks, refreshes }: DocumentServices) {
  return {
    'documents.checkDuplicates': ({ connectionId, intakeId, corrects }) =>
      checks.start(connectionId, intakeId, corrects),
    'documents.duplicates': async ({ taskId, ...page }) => checks.page(taskId, page),
    'documents.refreshStatuses': ({ connectionId, documentIds }) => refreshes.start(connectionId, documentIds),
    'documents.downloadAll': async (which) => {
      const documents = 'restOf' in which ? bulks.left(which.restOf) : which.documents;
      // Without credentials, nothing is started.
      for (const id of new Set(documents.map(({ connectionId }) => connectionId))) await connections.client(id);
      const [folder] = (await ports.dialogs.chooseFiles('folder')) ?? [];
      return folder === undefined ? null : bulks.start(folder, documents);
    },
    'documents.showDownloadFolder': ({ taskId }) => ports.desktop.showInFolder(bulks.folderOf(taskId)),
  } satisfies Partial<Handlers>;
}

/** The tasks about documents, by kind. */
export type DocumentServices = ReturnType<typeof createDocuments>;

/** `resumes`: goes on with what programs that have ended were doing. */
export function createDocuments(context: Context, resumes: boolean) {
  return {
    downloads: createDownloads(context),
    bulks: createBulkDownloads(context, resumes),
    refreshes: createStatusRefreshes(context, resumes),
    checks: createDuplicateChecks(context),
  };
}

/** Calls GetDocumentDetails. Rejects with service-refused (empty-reply) if the reply is empty. */
async function askDetails(context: Context, connectionId: string, documentId: string): Promise<DocumentDetails> {
  const client = await context.connections.client(connectionId);
  const ask = () => client.invoke('GetDocumentDetails', { ServiceDocumentID: documentId });
  const { raw, record } = await retryRead(ask, { tries: 2 });
  acceptedText(raw);
  if (isBlank(raw))
    throw appError('service-refused', 'the service has no details of this document', { detail: 'empty-reply' });
  const errors = record?.Errors?.trim();
  return {
    documentName: record?.DocumentName ?? null,
    createdDate: record?.CreatedDate ?? null,
    description: record?.Description ?? null,
    clientId: record?.ClientID ?? null,
    pages: record?.Pages ?? null,
    originalDocumentName: record?.OriginalDocumentName ?? null,
    errors: errors !== undefined && /^[-+]?\d{1,10}$/.test(errors) ? Number(errors) : null,
    raw: raw ?? '',
    askedAt: new Date().toISOString(),
  };
}

/** Asks for the details of a document that was not sent from here and adds it to the register. Rejects with service-refused or reply-unreadable. */
async function openById(context: Context, connectionId: string, documentId: string): Promise<DocumentRow> {
  const details = await askDetails(context, connectionId, documentId);
  if (details.errors !== null && details.errors < 0)
    throw appError('service-refused', `the details record says ${details.errors}`, {
      detail: 'negative-code',
      serviceCode: String(details.errors),
      raw: details.raw.slice(0, 2_000),
    });
  if (details.errors === null && details.documentName === null && details.createdDate === null)
    throw appError('reply-unreadable', 'something else than details', {
      detail: 'wrong-reply',
      raw: details.raw.slice(0, 2_000),
    });
  const known = context.store.documents.byDocumentId(connectionId, documentId);
  const row = known ?? putOpened(context, connectionId, documentId, details);
  context.emit('documents.changed', { connectionId });
  return row;
}

function putOpened(
  { store }: Context,
  connectionId: string,
  documentId: string,
  details: DocumentDetails,
): DocumentRow {
  return store.documents.put({
    connectionId,
    documentId,
    jobId: null,
    name: details.documentName ?? details.originalDocumentName ?? '',
    description: details.description ?? '',
    clientId: details.clientId ?? '',
    signers: '',
    fileName: null,
    sizeBytes: null,
    sha256: null,
    // Without the service's time only that of this moment is known.
    registeredAt: readDateTime(details.createdDate ?? '') ?? new Date().toISOString(),
  });
}

/** Limit of one refresh. Documents that were asked longest ago come first, so the next refresh continues with the others. */
const mostAtOnce = 10_000;
const tries = 3;

/** Failures about one document. All others are about the service and end the refresh: the document stays open, behind the others, should it be about that one. */
const ofDocument: ReadonlySet<FailureCode> = new Set(['service-refused', 'reply-unreadable']);

/** Asks for the status of many documents, one after the other. A person asks: the budget of automatic calls has no part in it. */
function createStatusRefreshes(context: Context, resumes: boolean) {
  const { connections, store } = context;
  const runs = createStoredRuns<'status-refresh', { readonly connectionId: string }>('status-refresh', context, {
    resumes,
    // What was not asked about comes first in the next refresh.
    isKept: false,
    open: (run, { connectionId }) => refreshOf(context, connectionId, run),
    isSame: (one, other) => one.connectionId === other.connectionId,
  });
  return {
    /** Adds what is requested to the running refresh of the connection if there is one. Rejects with not-found. */
    start: async (connectionId: string, requestedIds?: readonly string[]): Promise<StatusRefreshTask> => {
      await connections.get(connectionId);
      const current = runs.same({ connectionId });
      if (current && !requestedIds) return current;
      const documentIds = requestedIds ?? store.documents.unfinished(connectionId, mostAtOnce);
      const items = documentIds.map((documentId) => ({ connectionId, documentId }));
      return current ? runs.add(current.taskId, items) : runs.start({ connectionId }, items);
    },
  };
}

function refreshOf(context: Context, connectionId: string, stored: StoredWork): StoredRun<'status-refresh'> {
  const { work } = context.store;
  return {
    effect: 'read',
    parallel: 1,
    isPatient: false,
    perform: async ({ documentId }, { signal }) => {
      const { answer } = await askStatus(context, connectionId, documentId, { tries, signal });
      return { state: 'done', result: answer.group };
    },
    failed: (_item, failure) => {
      const stops = isServiceAway(failure) || !ofDocument.has(failure.code);
      return { outcome: { state: stops ? 'open' : 'failed', result: null }, stops };
    },
    summary: () => {
      const { total, open, failed } = work.counts(stored);
      const answers = work.resultCounts<StatusGroup>(stored);
      return { connectionId, total, askedCount: total - open, answers, failedCount: failed };
    },
  };
}
