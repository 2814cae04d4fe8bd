import { fdatasync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { openSql } from '../../electron/store/database/sql.ts';
import { newFolder } from './jobs-setup.ts';

const synced = promisify(fdatasync);

async function opened(sync = synced) {
  const path = join(await newFolder(), 'shared.db');
  const [sql, other] = [openSql(path, sync), openSql(path)];
  onTestFinished(() => [sql, other].forEach((each) => void each.close()));
  sql.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE notes (text TEXT UNIQUE) STRICT');
  return {
    path,
    sql,
    seen: () => other.all<{ text: string }>('SELECT text FROM notes ORDER BY text').map(({ text }) => text),
    note: (text: string) => sql.grouped(() => sql.run('INSERT INTO notes VALUES (?)', text)),
  };
}

it('what several jobs write at a time is one commit, and what cannot be written of it fails alone', async () => {
  const { path, sql, seen, note } = await opened();
  const logBytes = () => statSync(`${path}-wal`).size;
  const before = logBytes();
  const first = note('one').then(seen);
  const second = note('two').then(seen);
  expect(seen()).toEqual([]);
  // None is answered before all of them are there.
  expect(await first).toEqual(['one', 'two']);
  expect(await second).toEqual(['one', 'two']);
  // The page of the table and that of its index, each once.
  expect(logBytes() - before).toBe(2 * (4_096 + 24));

  const half = sql.grouped(() => {
    sql.run("INSERT INTO notes VALUES ('undone')");
    sql.run("INSERT INTO notes VALUES ('one')");
  });
  const ends = await Promise.allSettled([note('three'), half, note('four')]);
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(seen()).toEqual(['four', 'one', 'three', 'two']);
});

it('waits for a write of another thread, which would hold up this one; that is not begun while a group is written', async () => {
  const { sql, seen, note } = await opened();
  const order: string[] = [];
  const write = (name: string) =>
    sql.besideGroups(async () => {
      order.push(`${name} begun, ${seen()}`);
      await sleep(30);
      order.push(`${name} ended, ${seen()}`);
    });
  const first = write('first');
  const noted = note('one');
  await first;
  const second = write('second');
  await Promise.all([noted, second]);
  expect(order).toEqual(['first begun, ', 'first ended, ', 'second begun, one', 'second ended, one']);
});

it('is answered when the disk has it, for which nothing else waits; what is written meanwhile waits for the next sync', async () => {
  const waiting: (() => void)[] = [];
  const { seen, note } = await opened(async (file) => {
    await new Promise<void>((goesOn) => waiting.push(goesOn));
    await synced(file);
  });
  const answered: string[] = [];
  const noted = (text: string) => void note(text).then(() => answered.push(text));
  noted('one');
  noted('two');
  await expect.poll(seen).toEqual(['one', 'two']);
  noted('three');
  noted('four');
  await expect.poll(seen).toHaveLength(4);
  expect([answered, waiting.length]).toEqual([[], 1]);
  waiting[0]?.();
  await expect.poll(() => waiting.length).toBe(2);
  expect(answered).toEqual(['one', 'two']);
  waiting[1]?.();
  await expect.poll(() => answered).toEqual(['one', 'two', 'three', 'four']);
});

it('is synced by a commit where the log cannot be synced in another thread', async () => {
  const { path, note } = await opened(() => Promise.reject(new Error('EIO')));
  const before = statSync(`${path}-wal`).size;
  await note('one');
  // Two pages of the note, and the first page of the file.
  expect(statSync(`${path}-wal`).size - before).toBe(3 * (4_096 + 24));
});
