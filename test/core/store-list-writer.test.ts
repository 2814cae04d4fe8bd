import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../../electron/core/foundation/app-error.ts';
import { createListWriter } from '../../electron/store/database/list-writer.ts';
import { openSql } from '../../electron/store/database/sql.ts';
import { atEnd, newFolder } from './jobs-setup.ts';

const add = 'INSERT INTO numbers (n) VALUES (?)';

async function ready(writesTo: (folder: string) => string) {
  const folder = await newFolder();
  const sql = openSql(join(folder, 'lists.db'));
  atEnd(async () => sql.close());
  sql.exec('PRAGMA journal_mode = WAL; CREATE TABLE numbers (n INTEGER NOT NULL UNIQUE) STRICT');
  const messages: string[] = [];
  const tell = (message: string) => void messages.push(message);
  const writer = createListWriter(sql, writesTo(folder), { info: tell, error: tell });
  atEnd(() => writer.end());
  const count = () => sql.get<{ n: number }>('SELECT count(*) AS n FROM numbers')?.n;
  return { writer, count, messages, sql, path: join(folder, 'lists.db') };
}

describe('the writer of lists', () => {
  it('has written when it resolves, and rolls back the whole transaction of a failed step', async () => {
    const { writer, count, messages } = await ready((folder) => join(folder, 'lists.db'));
    await writer.write([[add, [[1], [2]]]]);
    expect(count()).toBe(2);
    const failure = await writer.write([[add, [[3], [2]]]]).catch(failureOf);
    expect(failure).toMatchObject({ code: 'storage-unusable' });
    expect(count()).toBe(2);
    await writer.write([
      [add, [[3]]],
      ['UPDATE numbers SET n = n + ?', [[10]]],
    ]);
    expect(count()).toBe(3);
    expect(messages).toEqual([]);
  });

  it('keeps the log short, also while other work writes all the time', async () => {
    const { writer, sql, path } = await ready((folder) => join(folder, 'lists.db'));
    sql.exec('CREATE TABLE texts (text TEXT) STRICT');
    let isWriting = true;
    const others = (async () => {
      for (let n = 1; isWriting; n += 1) {
        sql.run('INSERT INTO numbers (n) VALUES (?)', n);
        await sleep(1);
      }
    })();
    const rows = Array.from({ length: 25 }, () => ['x'.repeat(50_000)]);
    let longest = 0;
    for (let written = 0; written < 150; written += 1) {
      await writer.write([['INSERT INTO texts VALUES (?)', rows]]);
      longest = Math.max(longest, statSync(`${path}-wal`).size);
    }
    isWriting = false;
    await others;
    // What makes it long enough to be begun anew, and ten writes more.
    expect(longest).toBeLessThan(100 * 2 ** 20);
  });

  it('holds up other writes of this thread by small transactions only', async () => {
    const { writer, sql } = await ready((folder) => join(folder, 'lists.db'));
    expect(writer.portion(500)).toBe(500);
    await writer.write([[add, [[1]]]]);
    expect(writer.portion(500)).toBe(500);
    sql.run(add, 2);
    expect(writer.portion(500)).toBe(50);
    await sleep(1_100);
    expect(writer.portion(500)).toBe(500);
  });

  it('writes in the main thread if no worker can be started', async () => {
    const { writer, count, messages } = await ready((folder) => join(folder, 'no such folder', 'lists.db'));
    await writer.write([[add, [[1], [2]]]]);
    await writer.write([[add, [[3]]]]);
    expect(count()).toBe(3);
    expect(messages).toHaveLength(1);
  });
});
