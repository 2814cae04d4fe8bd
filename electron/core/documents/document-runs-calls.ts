import type { Handlers } from '../../../contract/index.ts';
import type { Context } from '../context.ts';
import type { DocumentServices } from './create-documents.ts';

type Names =
  | 'documents.checkDuplicates'
  | 'documents.cancelCheck'
  | 'documents.duplicates'
  | 'documents.refreshStatuses'
  | 'documents.stopRefresh'
  | 'documents.downloadAll'
  | 'documents.stopDownloadAll'
  | 'documents.showDownloadFolder';

/** What takes a while and many documents: looking for duplicates, asking statuses, downloading. */
export function documentRunCalls(
  { ports, connections }: Context,
  { checks, bulks, refreshes }: DocumentServices,
): Pick<Handlers, Names> {
  return {
    'documents.checkDuplicates': ({ connectionId, intakeId, corrects }) =>
      checks.start(connectionId, intakeId, corrects),
    'documents.cancelCheck': async ({ checkId }) => {
      checks.cancel(checkId);
      return null;
    },
    'documents.duplicates': async ({ checkId, ...page }) => checks.page(checkId, page),
    'documents.refreshStatuses': ({ connectionId, documentIds }) => refreshes.start(connectionId, documentIds),
    'documents.stopRefresh': async ({ refreshId }) => {
      refreshes.stop(refreshId);
      return null;
    },
    'documents.downloadAll': async ({ documents }) => {
      // Without credentials nothing is begun.
      for (const id of new Set(documents.map(({ connectionId }) => connectionId))) await connections.client(id);
      const [folder] = (await ports.dialogs.chooseFiles('folder')) ?? [];
      return folder === undefined ? null : bulks.start(folder, documents);
    },
    'documents.stopDownloadAll': async ({ bulkId }) => {
      bulks.stop(bulkId);
      return null;
    },
    'documents.showDownloadFolder': async ({ bulkId }) => {
      await ports.desktop.showInFolder(bulks.folderOf(bulkId));
      return null;
    },
  };
}
