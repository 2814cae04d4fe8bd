import { extname, join } from 'node:path';
import {
  app,
  type BrowserWindow,
  dialog,
  type MessageBoxOptions,
  type OpenDialogOptions,
  type SaveDialogOptions,
} from 'electron';
import { failureOf } from '../../core/foundation/app-error.ts';
import type { Dialogs } from '../../core/foundation/ports.ts';
import type { Texts } from './desktop-texts.ts';
import { cannotStartBox, ledgerTrouble } from './ledger-questions.ts';

const pdfOnly = { name: 'PDF', extensions: ['pdf'] };

function filterFor(name: string): { name: string; extensions: string[] } {
  const ending = extname(name).slice(1).toLowerCase();
  return ending === '' || ending === 'pdf' ? pdfOnly : { name: ending.toUpperCase(), extensions: [ending] };
}

/** The system's dialogs, attached to the open window; `texts` is read each time a dialog opens. */
export function createDialogs(currentWindow: () => BrowserWindow | null, texts: () => Texts): Dialogs {
  const everything = () => ({ name: texts()('allFiles'), extensions: ['*'] });
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
        // Without it, a dialog on Linux returns the name of an existing file without asking.
        properties: ['showOverwriteConfirmation'],
        defaultPath: join(app.getPath('downloads'), suggestedName),
        filters: [filterFor(suggestedName), everything()],
      };
      const window = currentWindow();
      const chosen = await (window ? dialog.showSaveDialog(window, options) : dialog.showSaveDialog(options));
      return chosen.canceled || !chosen.filePath ? null : chosen.filePath;
    },
    async confirmInClear(origin) {
      const t = texts();
      const options: MessageBoxOptions = {
        type: 'warning',
        message: t('inClear.title', { origin }),
        detail: t('inClear.text'),
        buttons: [t('inClear.cancel'), t('inClear.save')],
        // Enter, Escape and closing the box choose the harmless answer.
        defaultId: 0,
        cancelId: 0,
        noLink: true,
      };
      const window = currentWindow();
      const { response } = await (window ? dialog.showMessageBox(window, options) : dialog.showMessageBox(options));
      return response === 1;
    },
  };
}

/** Shows why the program cannot start, and ends it. Shows nothing if the person has just chosen to quit. */
export function cannotStart(error: unknown, t: Texts): void {
  const failure = failureOf(error);
  if (failure?.code === 'cancelled') {
    app.exit(0);
    return;
  }
  const { title, text } = failure
    ? ledgerTrouble(failure, t)
    : cannotStartBox(t, app.getPath('userData'), 'unexpected error while starting');
  dialog.showErrorBox(title, text);
  app.exit(1);
}
