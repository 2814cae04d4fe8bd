import { type Failure, isOfStorage } from '../../../contract/failure.ts';
import { appError, failureOf } from '../../core/foundation/app-error.ts';
import { toStorageError } from '../../core/foundation/fs-errors.ts';
import type { LedgerQuestions, Log } from '../../core/foundation/ports.ts';
import { movingLedger } from './ledger-errors.ts';
import type { Migration } from './migrate.ts';
import { inspectDatabase, isSound } from './open-database.ts';
import { isFolderInUse } from './run-lock.ts';
import { finishMoves, isMoving, listSetAside, setAside, takeBack } from './set-aside.ts';

export interface Ledger {
  readonly dataDir: string;
  readonly path: string;
  readonly steps: readonly Migration[];
  readonly log: Log;
  readonly program?: string | undefined;
  readonly ask?: LedgerQuestions;
}

/** Path, below the data folder, of a database that was set aside by this start; else null. */
type SetAsideNow = string | null;

/**
 * Opens the database with `open` once it is usable; otherwise asks the person what to do. Rejects with the errors of `inspectDatabase` and `open` if
 * there is nobody to ask or nothing to decide, and with cancelled if the person chose to quit.
 */
export async function withReadyLedger<T>(
  ledger: Ledger,
  open: () => Promise<T>,
): Promise<{ opened: T; setAsideNow: SetAsideNow }> {
  let setAsideNow: SetAsideNow = null;
  for (let isFirst = true; ; isFirst = false) {
    try {
      finishBrokenOff(ledger);
      if (isFirst) await offerMended(ledger);
      inspectDatabase(ledger.path, ledger.steps, ledger.program);
      return { opened: await open(), setAsideNow };
    } catch (error) {
      if (await wantsToSetAside(ledger, asAppError(error))) setAsideNow = setAsideOrLater(ledger);
    }
  }
}

/** Other errors of node:fs (too many open files, a folder that cannot be listed) are no bugs either. */
function asAppError(error: unknown): unknown {
  const isOfSystem = error instanceof Error && 'syscall' in error;
  return isOfSystem ? toStorageError(error, 'the data folder cannot be used') : error;
}

/** Asks the person about an error; false means try again. Throws the error if there is nothing to decide. */
async function wantsToSetAside({ ask }: Ledger, error: unknown): Promise<boolean> {
  const failure = failureOf(error);
  if (!ask || !failure || !isOfStorage(failure) || failure.detail === 'database-newer') throw error;
  const answer = await ask.trouble(failure, isDamage(failure));
  if (answer === 'quit') throw appError('cancelled', 'the program was not started, as the person decided');
  return answer === 'set-aside' && isDamage(failure);
}

const damages: ReadonlySet<Failure['detail']> = new Set([
  'database-damaged',
  'database-unreadable',
  'database-missing',
]);
const isDamage = ({ detail }: Failure) => damages.has(detail);
/** Sets the database aside. A move that fails is found by the next round of `withReadyLedger`, which asks again. */
function setAsideOrLater({ dataDir, log }: Ledger): SetAsideNow {
  try {
    const name = setAside(dataDir, 'damaged');
    log.error('database set aside', { folder: name });
    return name;
  } catch (error) {
    log.error('the database cannot be set aside', { note: failureOf(error)?.note });
    return null;
  }
}

function finishBrokenOff({ dataDir, ask, log }: Ledger): void {
  if (!isMoving(dataDir)) return;
  // Only the app finishes a move: the person began it there.
  if (!ask || isFolderInUse(dataDir)) throw movingLedger(dataDir);
  finishMoves(dataDir);
  log.info('a move of the database was finished');
}

async function offerMended({ dataDir, steps, ask, log }: Ledger): Promise<void> {
  if (!ask || isFolderInUse(dataDir)) return;
  const mended = listSetAside(dataDir).findLast(
    ({ reason, isChanged, database }) => reason === 'damaged' && isChanged && isSound(database, steps),
  );
  if (!mended || !(await ask.mended(mended.name))) return;
  takeBack(dataDir, mended.name);
  log.info('database taken back', { folder: mended.name });
}
