import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readTable } from '../../electron/core/output/tables/read-table.ts';
import type { Table } from '../../electron/core/output/tables/table.ts';
import { watchTurns } from './processor-time.ts';

export interface MeasuredTable {
  readonly headings: readonly string[];
  readonly rowCount: number;
  readonly last: Table['rows'][number] | null;
  /** The message of a refusal, else empty. */
  readonly problem: string;
  /** The longest CPU time on the main thread between two turns of the event loop, without waiting for a processor. */
  readonly longestMs: number;
  /** Increase of the process's peak memory by reading. */
  readonly addedMb: number;
}

/** Reads a table in a separate process. */
export async function measureTable(path: string): Promise<MeasuredTable> {
  const { stdout } = await promisify(execFile)(process.execPath, [fileURLToPath(import.meta.url), path]);
  return JSON.parse(stdout) as MeasuredTable;
}

async function measure(path: string): Promise<MeasuredTable> {
  const highestMb = () => process.resourceUsage().maxRSS / 1024;
  const before = highestMb();
  const stop = watchTurns();
  let table: Table = { headings: [], rows: [] };
  let problem = '';
  try {
    table = await readTable({ path, name: '', folder: '', sizeBytes: 0 } as Parameters<typeof readTable>[0], 'en');
  } catch (error) {
    const { failure } = error as { failure?: { fields?: { tableToken?: string } } };
    problem = failure?.fields?.tableToken ?? String(error);
  }
  const { headings, rows } = table;
  return {
    headings,
    rowCount: rows.length,
    last: rows.at(-1) ?? null,
    problem,
    longestMs: stop(),
    addedMb: highestMb() - before,
  };
}

const [, program, path] = process.argv;
if (path && program === fileURLToPath(import.meta.url)) process.stdout.write(JSON.stringify(await measure(path)));
