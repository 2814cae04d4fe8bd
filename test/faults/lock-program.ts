import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { holdRunLock } from '../../electron/store/database/run-lock.ts';
import { openSql } from '../../electron/store/database/sql.ts';

/** A program that takes and releases the run lock in FOLDER, ROUNDS times: each round is one start of the program. */
const { FOLDER: folder = '', ROUNDS: rounds = '0', NAME: name = '' } = process.env;
for (let round = 0; round < Number(rounds); round += 1) {
  const lock = holdRunLock(folder, `${name}-${round}`);
  if (!isHeld(join(folder, 'runs', `${name}-${round}.lock`))) throw new Error('the lock that others find is not held');
  lock.release();
}
process.stdout.write('ended');

function isHeld(path: string): boolean {
  const other = openSql(`${pathToFileURL(path).href}?mode=rw`);
  try {
    other.waitForOthers(0);
    other.exec('BEGIN EXCLUSIVE');
    return false;
  } catch {
    return true;
  } finally {
    other.close();
  }
}
