import { join } from 'node:path';
import { app, type BrowserWindow, dialog, type OpenDialogOptions } from 'electron';
import type { Dialogs } from '../core/ports.ts';

const pdfOnly = { name: 'PDF', extensions: ['pdf'] };
const everything = { name: '*', extensions: ['*'] };

/** The system's own dialogs, on the window that is open. */
export function createDialogs(currentWindow: () => BrowserWindow | null): Dialogs {
  return {
    async chooseFiles(kind) {
      const options: OpenDialogOptions =
        kind === 'folder'
          ? { properties: ['openDirectory', 'multiSelections'] }
          : {
              properties: ['openFile', 'multiSelections'],
              filters: kind === 'documents' ? [pdfOnly, everything] : [everything],
            };
      const window = currentWindow();
      const chosen = await (window ? dialog.showOpenDialog(window, options) : dialog.showOpenDialog(options));
      return chosen.canceled || chosen.filePaths.length === 0 ? null : chosen.filePaths;
    },
    async chooseTarget(suggestedName) {
      const options = { defaultPath: join(app.getPath('downloads'), suggestedName), filters: [pdfOnly, everything] };
      const window = currentWindow();
      const chosen = await (window ? dialog.showSaveDialog(window, options) : dialog.showSaveDialog(options));
      return chosen.canceled || !chosen.filePath ? null : chosen.filePath;
    },
  };
}
