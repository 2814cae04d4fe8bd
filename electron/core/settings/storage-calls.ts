import { join } from 'node:path';
import type { HandlersOf } from '../../../contract/index.ts';
import { toOwnFileError } from '../foundation/fs-errors.ts';
import type { Ports } from '../foundation/ports.ts';
import { measureStorage, removeLogs } from './storage-usage.ts';

/** Calls about what the program keeps on this computer. */
export function storageCalls({
  dataDir,
  logFile,
  desktop,
}: Pick<Ports, 'dataDir' | 'logFile' | 'desktop'>): HandlersOf<'storage'> {
  return {
    'storage.usage': () => measureStorage(dataDir, logFile),
    'storage.showFolder': async () => {
      await desktop.showInFolder(join(dataDir, 'sealdesk.db'));
      return null;
    },
    'storage.clearLogs': async () => {
      await removeLogs(logFile).catch((error: unknown) => {
        throw toOwnFileError(error);
      });
      return measureStorage(dataDir, logFile);
    },
  };
}
