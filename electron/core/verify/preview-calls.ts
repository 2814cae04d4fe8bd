import { extname } from 'node:path';
import type { HandlersOf } from '../../../contract/index.ts';
import { appError } from '../foundation/app-error.ts';
import type { Desktop } from '../foundation/ports.ts';
import type { Previews } from './previews.ts';

/** Calls for viewing a file, in this or another program. */
export function previewCalls(previews: Previews, desktop: Desktop): HandlersOf<'preview'> {
  return {
    'preview.open': ({ file }) => previews.open(file),
    'preview.close': async ({ token }) => {
      previews.close(token);
      return null;
    },
    'preview.openOutside': async ({ file }) => {
      const path = await previews.pdfPath(file);
      // The system chooses the program by the extension: a PDF called x.desktop would be run, not shown.
      if (extname(path).toLowerCase() !== '.pdf')
        throw appError('file-unreadable', 'the name does not end in .pdf', { detail: 'file-not-pdf' });
      await desktop.openFile(path);
      return null;
    },
    'preview.showInFolder': async ({ file }) => {
      await desktop.showInFolder(await previews.path(file));
      return null;
    },
  };
}
