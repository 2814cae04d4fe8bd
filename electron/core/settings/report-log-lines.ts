import { open } from 'node:fs/promises';

/** How much of each log is read, from its end, and how many of its lines are in a report. */
const mostBytes = 256 * 1024;
const mostLines = 1_000;
const longestLine = 400;

/** Fields whose texts come from the program itself: closed sets, names of errors, local IDs. Numbers and switches of any name are harmless. */
const ownTexts = new Set([
  ...[
    'level',
    'code',
    'detail',
    'kind',
    'state',
    'step',
    'call',
    'event',
    'doing',
    'reason',
    'signal',
    'operation',
    'part',
    'platform',
    'release',
    'arch',
    'version',
    'electron',
    'chrome',
    'node',
  ],
  ...['name', 'error', 'reference', 'jobId', 'bulkId', 'connectionId', 'id'],
]);
/** What the texts of these fields look like: one word, so no sentence, no path and no address gets through. */
const oneWord = /^[\w.:-]{1,80}$/;
/** `name` is the name of an error, or a file in an older log: only the former is shown. */
const fileLike = /\.[a-z\d]{1,8}$/i;

/** The last lines of the logs, each reduced to what can hold no secret, path, file name, address or name of a person. Never rejects. */
export async function reportLogLines(logFiles: readonly string[]): Promise<string[]> {
  const lines: string[] = [];
  for (const file of logFiles) {
    for (const part of [`${file}.old`, file]) {
      const text = await endOf(part).catch(() => '');
      lines.push(...text.split('\n').flatMap((line) => reportLogLine(line) ?? []));
    }
  }
  // Each line begins with its time.
  return lines.sort().slice(-mostLines);
}

/** One line; null if it is none of the log's own. */
export function reportLogLine(line: string): string | null {
  const entry = parsed(line);
  if (entry === null) return null;
  const { at, message, ...fields } = entry;
  if (typeof message !== 'string') return null;
  const shown = Object.entries(fields).map(([name, value]) => `${name}=${shownValue(name, value)}`);
  const time = typeof at === 'string' && !Number.isNaN(Date.parse(at)) ? at : '';
  return [time, message, ...shown].join(' ').slice(0, longestLine);
}

function shownValue(name: string, value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return String(value);
  const isShown = typeof value === 'string' && ownTexts.has(name) && oneWord.test(value) && !fileLike.test(value);
  return isShown ? value : '[left out]';
}

function parsed(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

async function endOf(path: string): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const from = Math.max(0, size - mostBytes);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(size, mostBytes)), 0, undefined, from);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}
