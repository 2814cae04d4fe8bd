import { basename } from 'node:path';
import type { Handlers, HandlersOf } from '../../../contract/index.ts';
import { askStatus } from '../connections/ask-status.ts';
import type { Context } from '../context.ts';
import { safeFileName } from '../files/safe-file-name.ts';
import { chooseTarget } from '../files/target.ts';
import { appError } from '../foundation/app-error.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { registerOrders } from '../jobs/register-orders.ts';
import { askDetails, openById } from './ask-document.ts';
import { createBulkDownloads, createDownloads } from './downloads.ts';
import { createDuplicateChecks } from './duplicate-checks.ts';
import { saveBatch } from './save-batch.ts';
import { createStatusRefreshes } from './status-refreshes.ts';

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
    'documents.list': async (query) => store.documents.list(query),
    'documents.saveBatch': async (list) => {
      const path = await saveBatch(context, list);
      return path === null ? null : { fileName: basename(path) };
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
    'documents.showDownload': async ({ taskId }) => {
      await ports.desktop.showInFolder(downloads.finishedPath(taskId));
      return null;
    },
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
    'documents.showDownloadFolder': async ({ taskId }) => {
      await ports.desktop.showInFolder(bulks.folderOf(taskId));
      return null;
    },
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
