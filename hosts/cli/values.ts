import { readFile, stat } from 'node:fs/promises';
import { UsageError } from './usage-error.ts';

/** What was given for the options, by name. */
export type Values = Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;

export function textOf(values: Values, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

export function listOf(values: Values, name: string): readonly string[] {
  const value = values[name];
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}

export function isSet(values: Values, name: string): boolean {
  return values[name] === true;
}

/** True, false by `--no-NAME`, or undefined, which leaves the child out. */
export function choiceOf(values: Values, name: string): boolean | undefined {
  if (isSet(values, `no-${name}`)) {
    if (isSet(values, name)) throw new UsageError(`--${name} and --no-${name} exclude each other.`);
    return false;
  }
  return isSet(values, name) ? true : undefined;
}

/** A whole number that fits an XML Schema int. Throws a UsageError for anything else. */
export function numberOf(values: Values, name: string): number | undefined {
  const text = textOf(values, name);
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!/^[+-]?\d{1,10}$/.test(text) || number < -2147483648 || number > 2147483647) {
    throw new UsageError(`--${name} takes a whole number, not ${JSON.stringify(text)}.`);
  }
  return number;
}

/** More than any real one; the text is kept in memory. */
const maxTextBytes = 256 * 1024 * 1024;

/** Text of the file that an option names. Throws a UsageError where it cannot be read as text in UTF-8. */
export async function fileTextOf(values: Values, name: string): Promise<string | undefined> {
  const path = textOf(values, name);
  return path === undefined ? undefined : readSmallFile(`--${name}`, path, maxTextBytes);
}

/** Text in UTF-8 without a byte order mark. A device or a pipe is not opened: it may have no end. Throws a UsageError. */
export async function readSmallFile(option: string, path: string, maxBytes: number): Promise<string> {
  const cannot = (error: unknown): never => {
    throw new UsageError(`${option}: ${path} cannot be read (${codeOf(error)}).`);
  };
  const seen = await stat(path).catch(cannot);
  if (!seen.isFile()) throw new UsageError(`${option}: ${path} is no file.`);
  if (seen.size > maxBytes) throw new UsageError(`${option}: ${path} is larger than ${maxBytes} bytes.`);
  const bytes = await readFile(path).catch(cannot);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`${option}: ${path} is not text in UTF-8.`);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
}
