import { Worker } from 'node:worker_threads';
import { appError } from '../../core/foundation/app-error.ts';
import { type SqlValue, storageFailing } from './sql.ts';

/** A statement and the rows to run it with, one after the other. */
export type Step = readonly [text: string, rows: readonly (readonly SqlValue[])[]];

/** Writes beside the program: the thread that answers people is not held up by it. */
export interface SqlThread {
  /** All steps as one transaction. Rejects with storage-full or storage-unusable, then nothing of them is written; with bug where the thread ended. */
  write(steps: readonly Step[]): Promise<void>;
  /** Brings what is in the log into the database file; nobody is kept from reading or writing meanwhile. */
  checkpoint(): Promise<void>;
  end(): Promise<void>;
}

/**
 * Text, because the program is one file and a thread would need another. Commits are not synced one by one: what is written here can be read from the service
 * again, and the next synced commit of the program makes it durable, in its order.
 */
const threadText = `
const { parentPort, workerData } = require('node:worker_threads');
const Libsql = require('node:module').createRequire(workerData.program)('libsql');
const database = new Libsql(workerData.path);
for (const pragma of ['busy_timeout = 5000', 'synchronous = NORMAL', 'cache_size = -32000', 'wal_autocheckpoint = 0'])
  database.exec('PRAGMA ' + pragma);
const statements = new Map();
const prepared = (text) => {
  if (!statements.has(text)) statements.set(text, database.prepare(text));
  return statements.get(text);
};
function write(steps) {
  database.exec('BEGIN IMMEDIATE');
  try {
    for (const [text, rows] of steps) {
      const statement = prepared(text);
      for (const row of rows) statement.run(row);
    }
    database.exec('COMMIT');
  } catch (error) {
    try { database.exec('ROLLBACK'); } catch {}
    throw error;
  }
}
function work(task) {
  if (task === 'checkpoint') database.prepare('PRAGMA wal_checkpoint(PASSIVE)').all([]);
  else if (task !== 'end') return write(task);
  else {
    statements.clear();
    database.close();
  }
}
parentPort.on('message', (task) => {
  try {
    work(task);
    parentPort.postMessage(null);
  } catch (error) {
    parentPort.postMessage({ code: error.code, message: error.message });
  }
  if (task === 'end') parentPort.close();
});
parentPort.postMessage(null);
`;

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** On the database file of `path`, which must be there. Rejects with bug where a thread cannot load what it needs. */
export async function startSqlThread(path: string): Promise<SqlThread> {
  const thread = new Worker(threadText, { eval: true, workerData: { path, program: import.meta.url } });
  const waiting: Waiting[] = [];
  let isOver = false;
  const over = () => {
    isOver = true;
    for (const { reject } of waiting.splice(0)) reject(appError('bug', 'the thread that writes lists ended'));
  };
  thread.on('message', (trouble: { code?: string; message: string } | null) => {
    const first = waiting.shift();
    if (trouble === null) first?.resolve();
    else first?.reject(storageFailing(Object.assign(new Error(trouble.message), { code: trouble.code })));
  });
  thread.on('error', over).on('exit', over);
  const answer = () => new Promise<void>((resolve, reject) => void waiting.push({ resolve, reject }));
  const ask = (task: readonly Step[] | 'checkpoint' | 'end') => {
    const answered = answer();
    if (isOver) over();
    else thread.postMessage(task);
    return answered;
  };
  await answer();
  return {
    write: ask,
    checkpoint: () => ask('checkpoint'),
    end: () => ask('end'),
  };
}
