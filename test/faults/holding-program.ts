import { openSql } from '../../electron/store/database/sql.ts';

/** A separate program that holds the database PATH for MS milliseconds, as a backup or a repair does. */
const { DATABASE: path = '', MS: ms = '0' } = process.env;
const sql = openSql(path);
sql.exec('BEGIN IMMEDIATE');
process.stdout.write('held');
await new Promise((resolve) => setTimeout(resolve, Number(ms)));
sql.exec('COMMIT');
