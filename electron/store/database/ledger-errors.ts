import { type AppError, appError } from '../../core/foundation/app-error.ts';
import { type Sql, sqliteCode } from './sql.ts';

/** Reasons why a database is unusable for which a person may decide to begin a new one. */
export type LedgerDamage = 'database-damaged' | 'database-unreadable' | 'database-missing';

/** The note is shown unchanged on the command line, so it says what to do. */
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

/** `how`: details for support, in English. */
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

/** The damage that an error of SQLite reports; null if it is no damage of the file (a full disk, another program, a bug). */
export function damageOf(error: unknown): { readonly detail: LedgerDamage; readonly how: string } | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = sqliteCode(cause);
    if (code && /^SQLITE_(CORRUPT|NOTADB)/.test(code)) return { detail: 'database-damaged', how: code };
    if (code && /^SQLITE_(CANTOPEN|PERM|AUTH|READONLY|IOERR)/.test(code))
      return { detail: 'database-unreadable', how: code };
  }
  return null;
}

/** Notices that are stored until a person has seen them: rows of the table `settings`. */
const notices = { incomplete: 'ledger.incomplete', restored: 'ledger.restored', mended: 'ledger.mended' } as const;
export type LedgerNotice = keyof typeof notices;

/** Stored notices about the state of the database, whichever program found it. */
export function ledgerNotices(sql: Sql) {
  return {
    /** True if the notice was not shown yet. */
    isPending: (what: LedgerNotice): boolean =>
      sql.get('SELECT 1 FROM settings WHERE key = ?', notices[what]) !== undefined,
    /** Removes a notice that was shown. */
    shown: (what: LedgerNotice): void => void sql.run('DELETE FROM settings WHERE key = ?', notices[what]),
  };
}

/** Stores a notice until `shown`. Call it in a transaction. */
export function requireNotice(sql: Sql, what: LedgerNotice): void {
  sql.run("INSERT INTO settings (key, value) VALUES (?, 'yes') ON CONFLICT (key) DO NOTHING", notices[what]);
}
