import { shell } from 'electron';
import { appError } from '../../core/foundation/app-error.ts';
import type { Desktop } from '../../core/foundation/ports.ts';
import { browserAddress } from './browser-address.ts';

/** The only module that uses Electron's shell. */
export function createDesktop(): Desktop {
  return {
    async showInFolder(path) {
      shell.showItemInFolder(path);
    },
    async openInBrowser(url) {
      const address = browserAddress(url);
      if (address === null) throw appError('bad-input', 'only https and mailto addresses are opened');
      await shell.openExternal(address);
    },
    async openFile(path) {
      const trouble = await shell.openPath(path);
      if (trouble !== '') throw appError('file-unreadable', 'no program opened the file', { retryable: true });
    },
  };
}
