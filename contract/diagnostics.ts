import { z } from 'zod';
import { call } from './call.ts';
import { localId } from './text.ts';

/** The text files of a report for support, in English and without secrets, contents, paths or names of people. */
export const supportFiles = [
  /** Versions, system, preferences, connections by number. */
  'program',
  /** The check of the connection in use. */
  'connection',
  /** Counts of jobs and documents, sizes of stored data. */
  'records',
  /** When the program or a part of it ended unexpectedly. */
  'crashes',
  /** The last lines of the log. */
  'log',
] as const;
export type SupportFileName = (typeof supportFiles)[number];

/** A report for support: exactly these files, in this order. */
export interface SupportReport {
  readonly id: string;
  readonly files: readonly { readonly name: SupportFileName; readonly text: string }[];
}

/** The most important first: a log of one level has those before it, too. */
export const logLevels = ['error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

/** How much is written to the log. Another level than `info` ends with the program, or at the time `until`. */
export interface LogState {
  readonly level: LogLevel;
  readonly until: string | null;
}

export const diagnostics = {
  /** Makes a report. Checks the connection in use, which is free of cost, for at most half a minute. */
  'diagnostics.report': call(() => ({})).answers<SupportReport>(),
  /** Saves the last report, as it was shown, as a zip file that the person chooses; null if the person cancelled. Rejects with not-found for an older report. */
  'diagnostics.save': call(() => ({ id: localId })).answers<{ readonly fileName: string } | null>(),
  /** Sets how much is written to the log, for a day or until the program ends. */
  'diagnostics.setLogLevel': call(() => ({ level: z.enum(logLevels) })).answers<null>(),
};

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
