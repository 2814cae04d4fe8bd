import { openSql } from '../../electron/store/database/sql.ts';

/** A separate program that holds the database PATH for MS milliseconds, or without until its input ends, as a backup or a repair does; TIMES times, and leaves it FREE_MS milliseconds between. */
const { DATABASE: path = '', MS: ms, TIMES: times = '1', FREE_MS: freeMs = '0' } = process.env;
const sleep = (milliseconds: string) => new Promise((resolve) => setTimeout(resolve, Number(milliseconds)));
const untilTold = () => new Promise((resolve) => process.stdin.once('end', resolve).resume());
const sql = openSql(path);
for (let time = 0; time < Number(times); time += 1) {
  sql.exec('BEGIN IMMEDIATE');
  process.stdout.write('held');
  await (ms ? sleep(ms) : untilTold());
  sql.exec('COMMIT');
  await sleep(freeMs);
}
