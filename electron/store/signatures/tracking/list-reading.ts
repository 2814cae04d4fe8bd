import { setImmediate as nextTurn } from 'node:timers/promises';
import { entriesPerWrite, inSlices, type ListWriter, patiently } from '../../database/list-writer.ts';
import type { RunLock } from '../../database/run-lock.ts';
import { runSteps, type Sql, type SqlValue } from '../../database/sql.ts';
import { type CopyTable, copyTable } from './list-copies.ts';
import type { ListState } from './list-entries.ts';
import {
  type ArrivedEntry,
  goneSteps,
  listSteps,
  type Reading,
  readingOf,
  rowSteps,
  upsertSteps,
  valuesOf,
  writeFollowing,
} from './list-entries.ts';
import { connectionOfPlace, rangeOfPlace } from './partitions.ts';

/** Counts of the entries that changed in a reading. On the first reading of a list nothing counts as new. */
export interface Applied {
  readonly fresh: number;
  readonly moved: number;
  readonly gone: number;
}

/** A list while it is read. No query sees its changes before `publish`. */
export interface ListReading {
  /** True if the entry is unchanged; then it need not be given to `add`. Call it once for each entry of the list. */
  isKnown(entryKey: string, fingerprint: string): boolean;
  /** Takes entries that are new or changed. Ready for more when it resolves. */
  add(entries: readonly ArrivedEntry[]): Promise<void>;
  /** The list is complete: it replaces the stored one. */
  publish(state: ListState): Promise<Applied>;
  /** Ends the reading; without `publish` the stored list stays as it was. Call it after `publish`, too, even if that failed. Never rejects. */
  end(): Promise<void>;
}

interface Needs {
  readonly sql: Sql;
  readonly run: RunLock;
  readonly newWriter: () => ListWriter;
}

/** Up to this many changes are written in one transaction in the main thread, which takes a few milliseconds. */
const fewChanges = 100;
/** Rows in one transaction of the worker while nothing else is written with them: as long as `entriesPerWrite` with all. */
const rowsPerWrite = 1_000;
/** Stored rows that are read between two turns of the event loop. */
const rowsPerTurn = 1_000;

interface Known {
  readonly seq: number;
  readonly fingerprint: string | null;
}

export async function beginReading(
  { sql, run, newWriter }: Needs,
  connectionId: string,
  listType: number,
): Promise<ListReading> {
  const reading = await patiently(() => readingOf(sql, connectionId, listType, new Date().toISOString()));
  const known = await knownEntries(sql, reading.place);
  const writer = newWriter();
  // The first reading of a list may write into its final partition, as no query shows it yet; any other goes into a copy until it is complete.
  const copy = reading.lastAsOf === null ? null : copyTable(sql, run, writer).begin(reading);
  return listReading(sql, writer, { reading, known, copy });
}

/** The stored entries by their keys. The reading removes each entry that it finds; the rest is gone from the list. */
async function knownEntries(sql: Sql, place: number): Promise<Map<string, Known>> {
  const known = new Map<string, Known>();
  const { first, end } = rangeOfPlace(place);
  for (let from = first; ; await nextTurn()) {
    const rows = sql.all<{ seq: number; entry_key: string; fingerprint: string | null }>(
      `SELECT seq, entry_key, fingerprint FROM tracked
       WHERE seq >= ? AND seq < ? AND gone_at IS NULL ORDER BY seq LIMIT ${rowsPerTurn}`,
      from,
      end,
    );
    for (const { seq, entry_key, fingerprint } of rows) known.set(entry_key, { seq, fingerprint });
    if (rows.length < rowsPerTurn) return known;
    from = (rows.at(-1)?.seq ?? 0) + 1;
  }
}

interface ReadingState {
  readonly reading: Reading;
  readonly known: Map<string, Known>;
  /** Null on the first reading of a list. */
  readonly copy: ReturnType<CopyTable['begin']> | null;
}

function listReading(sql: Sql, writer: ListWriter, { reading, known, copy }: ReadingState): ListReading {
  const changes: SqlValue[][] = [];
  const atOnce = () => writer.portion(copy ? entriesPerWrite : rowsPerWrite);
  // A first reading that was broken off has left rows, and perhaps nothing that follows from them.
  let hasWritten = !copy && known.size > 0;
  /** The worker writes one transaction while the next entries are parsed. */
  let writing: Promise<unknown> = Promise.resolve();
  const flush = async (least: number) => {
    while (changes.length >= least) {
      await writing;
      const slice = changes.splice(0, atOnce());
      hasWritten = true;
      writing = copy ? copy.add(slice) : writer.write(rowSteps(reading, slice));
      // The next `await writing` throws its error.
      writing.catch(() => undefined);
    }
  };
  return {
    isKnown: (entryKey, fingerprint) => {
      const before = known.get(entryKey);
      if (!before || before.fingerprint !== fingerprint) return false;
      return known.delete(entryKey);
    },
    add: async (entries) => {
      for (const entry of entries) {
        known.delete(entry.entryKey);
        changes.push(valuesOf(entry));
      }
      await flush(atOnce());
    },
    publish: async (state) => {
      const gone = [...known.values()].map(({ seq }) => seq);
      if (!hasWritten && changes.length + gone.length <= fewChanges) {
        const steps = [...upsertSteps(reading, changes), ...goneSteps(reading, gone), ...listSteps(reading, state)];
        await patiently(() => runSteps(sql, steps));
      } else {
        await flush(1);
        await writing;
        if (copy) await copy.bringIn(gone, state);
        else {
          await inSlices(writer, gone, (slice) => goneSteps(reading, slice));
          await writeFollowing(sql, writer, reading);
          await writer.write(listSteps(reading, state));
        }
      }
      return { ...arrivals(sql, reading), gone: gone.length };
    },
    end: async () => {
      await writing.catch(() => undefined);
      await copy?.discard().catch(() => undefined);
      await writer.end();
    },
  };
}

function arrivals(sql: Sql, { place, seenAt }: Reading): { fresh: number; moved: number } {
  const { first, end } = rangeOfPlace(place);
  const counts = sql.get<{ fresh: number; moved: number }>(
    `SELECT count(*) FILTER (WHERE mark = 'new') AS fresh, count(*) FILTER (WHERE mark = 'moved') AS moved
     FROM tracked INDEXED BY tracked_marked WHERE connection = ? AND seq >= ? AND seq < ?
     AND mark IS NOT NULL AND gone_at IS NULL AND first_seen_at >= ?`,
    connectionOfPlace(place),
    first,
    end,
    seenAt,
  );
  return { fresh: counts?.fresh ?? 0, moved: counts?.moved ?? 0 };
}
