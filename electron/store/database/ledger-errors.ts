import { type AppError, appError } from '../../core/foundation/app-error.ts';
import { sqliteCode } from './sql.ts';

/** Where a database cannot be worked with, and a person may decide to go on without it. */
export type LedgerDamage = 'database-damaged' | 'database-unreadable' | 'database-missing';

/** Every sentence is shown as it is on the command line: it says what to do. */
export function newerLedger(dataDir: string, version: number, known: number, program: string | null): AppError {
  const wanted = program ? `Sealdesk ${program} or newer` : 'a newer version of Sealdesk';
  return appError(
    'storage-unusable',
    `The register in ${dataDir} has data version ${version}, this program knows versions up to ${known}. Use ${wanted}. Nothing was changed and nothing was sent.`,
    { detail: 'database-newer', ...(program ? { raw: program } : {}) },
  );
}

const whatIsWrong: Readonly<Record<LedgerDamage, string>> = {
  'database-damaged': 'is damaged',
  'database-unreadable': 'cannot be read',
  'database-missing': 'is gone or empty, although documents were sent from here',
};

/** `how`: for support, in English. */
export function damagedLedger(dataDir: string, detail: LedgerDamage, how: string): AppError {
  return appError(
    'storage-unusable',
    `The register in ${dataDir} ${whatIsWrong[detail]} (${how}). Nothing was changed and nothing was sent: without the register the same documents could be sent twice. Put back a copy of it, or start the app, which asks what to do.`,
    { detail },
  );
}

export function movingLedger(dataDir: string): AppError {
  return appError(
    'storage-unusable',
    `The app was ended while it was moving the register in ${dataDir}. Start the app: it goes on with that. Nothing was sent.`,
    { detail: 'database-moving' },
  );
}

/** What SQLite's answer says about the file; null where it says nothing about it (a full disk, another program, a defect of ours). */
export function damageOf(error: unknown): { readonly detail: LedgerDamage; readonly how: string } | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = sqliteCode(cause);
    if (code && /^SQLITE_(CORRUPT|NOTADB)/.test(code)) return { detail: 'database-damaged', how: code };
    if (code && /^SQLITE_(CANTOPEN|PERM|AUTH|READONLY|IOERR)/.test(code))
      return { detail: 'database-unreadable', how: code };
  }
  return null;
}
