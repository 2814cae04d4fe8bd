import { extname, join } from 'node:path';
import { app, type BrowserWindow, dialog, type OpenDialogOptions, type SaveDialogOptions } from 'electron';
import { failureOf } from '../../core/foundation/app-error.ts';
import type { Dialogs } from '../../core/foundation/ports.ts';
import type { HostTexts } from './host-texts.ts';
import { ledgerTrouble } from './ledger-questions.ts';

const pdfOnly = { name: 'PDF', extensions: ['pdf'] };

function filterFor(name: string): { name: string; extensions: string[] } {
  const ending = extname(name).slice(1).toLowerCase();
  return ending === '' || ending === 'pdf' ? pdfOnly : { name: ending.toUpperCase(), extensions: [ending] };
}

/** The system's own dialogs, on the window that is open, in the words of `texts` at that time. */
export function createDialogs(currentWindow: () => BrowserWindow | null, texts: () => HostTexts): Dialogs {
  const everything = () => ({ name: texts().allFiles, extensions: ['*'] });
  return {
    async chooseFiles(kind) {
      const options: OpenDialogOptions =
        kind === 'folder'
          ? { properties: ['openDirectory', 'multiSelections'] }
          : {
              properties: ['openFile', 'multiSelections'],
              filters: kind === 'documents' ? [pdfOnly, everything()] : [everything()],
            };
      const window = currentWindow();
      const chosen = await (window ? dialog.showOpenDialog(window, options) : dialog.showOpenDialog(options));
      return chosen.canceled || chosen.filePaths.length === 0 ? null : chosen.filePaths;
    },
    async chooseTarget(suggestedName) {
      const options: SaveDialogOptions = {
        // On Linux a dialog asks before it answers a name that is taken only where it is told to.
        properties: ['showOverwriteConfirmation'],
        defaultPath: join(app.getPath('downloads'), suggestedName),
        filters: [filterFor(suggestedName), everything()],
      };
      const window = currentWindow();
      const chosen = await (window ? dialog.showSaveDialog(window, options) : dialog.showSaveDialog(options));
      return chosen.canceled || !chosen.filePath ? null : chosen.filePath;
    },
  };
}

/** Says that the data folder cannot be used, and ends the program. Where the person has just said that it is to end, nothing more is said. */
export function cannotStart(error: unknown, texts: HostTexts): void {
  const failure = failureOf(error);
  if (failure?.code === 'cancelled') {
    app.exit(0);
    return;
  }
  const { title, text } = failure
    ? ledgerTrouble(failure, texts)
    : texts.cannotStart(app.getPath('userData'), 'unexpected error while starting');
  dialog.showErrorBox(title, text);
  app.exit(1);
}
