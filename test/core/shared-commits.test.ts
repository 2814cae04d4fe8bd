import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openSql } from '../../electron/store/database/sql.ts';
import { newFolder } from './jobs-setup.ts';

it('what several jobs write at a time is one commit, and what cannot be written of it fails alone', async () => {
  const path = join(await newFolder(), 'shared.db');
  const [sql, other] = [openSql(path), openSql(path)];
  onTestFinished(() => [sql, other].forEach((each) => void each.close()));
  sql.exec('PRAGMA journal_mode = WAL; CREATE TABLE notes (text TEXT UNIQUE) STRICT');
  const seen = () => other.all<{ text: string }>('SELECT text FROM notes ORDER BY text').map(({ text }) => text);
  const note = (text: string) => sql.grouped(() => sql.run('INSERT INTO notes VALUES (?)', text));

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
