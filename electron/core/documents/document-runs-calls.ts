import type { Handlers } from '../../../contract/index.ts';
import type { Context } from '../context.ts';
import type { DocumentServices } from './create-documents.ts';

type Names =
  | 'documents.checkDuplicates'
  | 'documents.duplicates'
  | 'documents.refreshStatuses'
  | 'documents.downloadAll'
  | 'documents.showDownloadFolder';

/** Calls that start tasks about many documents: duplicate checks, status refreshes, downloads. */
export function documentRunCalls(
  { ports, connections }: Context,
  { checks, bulks, refreshes }: DocumentServices,
): Pick<Handlers, Names> {
  return {
    'documents.checkDuplicates': ({ connectionId, intakeId, corrects }) =>
      checks.start(connectionId, intakeId, corrects),
    'documents.duplicates': async ({ taskId, ...page }) => checks.page(taskId, page),
    'documents.refreshStatuses': ({ connectionId, documentIds }) => refreshes.start(connectionId, documentIds),
    'documents.downloadAll': async ({ documents }) => {
      // Without credentials, nothing is started.
      for (const id of new Set(documents.map(({ connectionId }) => connectionId))) await connections.client(id);
      const [folder] = (await ports.dialogs.chooseFiles('folder')) ?? [];
      return folder === undefined ? null : bulks.start(folder, documents);
    },
    'documents.showDownloadFolder': async ({ taskId }) => {
      await ports.desktop.showInFolder(bulks.folderOf(taskId));
      return null;
    },
  };
}
