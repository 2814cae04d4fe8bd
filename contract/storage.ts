import { call } from './call.ts';

/**
 * What the program keeps on this computer: the database, copies of files that wait or came as bytes, the practice service's data, databases that were set
 * aside with their backups, and logs.
 */
export const storageParts = ['database', 'copies', 'practice', 'setAside', 'logs', 'other'] as const;
export type StoragePart = (typeof storageParts)[number];

export interface StorageUsage {
  /** Absolute path of the data folder. */
  readonly folder: string;
  readonly bytes: Readonly<Record<StoragePart, number>>;
  /** False if there were more files than could be counted. */
  readonly isComplete: boolean;
}

export const storage = {
  'storage.usage': call(() => ({})).answers<StorageUsage>(),
  /** Shows the data folder in the system's file manager. */
  'storage.showFolder': call(() => ({})).answers<null>(),
  /** Removes the log files, the only part that nothing depends on; answers what is left. */
  'storage.clearLogs': call(() => ({})).answers<StorageUsage>(),
};
