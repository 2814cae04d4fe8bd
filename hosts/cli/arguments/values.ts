import { lstat } from 'node:fs/promises';
import type { Connection } from '../../../contract/connections.ts';
import { readGivenFile } from '../../../electron/core/files/open-file.ts';
import { knownFailure } from '../../../electron/core/foundation/app-error.ts';
import { UsageError } from '../output/exit-code.ts';
import { failureText, nameOnLine } from '../output/printer.ts';
import { t } from '../output/texts.ts';

/** Values of the options by name, without dashes (`client-id`). An option that was not given is absent. */
export type Values = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

export function textOf(values: Values, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

export function listOf(values: Values, name: string): readonly string[] {
  const value = values[name];
  return typeof value === 'object' ? value : [];
}

export function isSet(values: Values, name: string): boolean {
  return values[name] === true;
}

/** True by `--NAME`, false by `--no-NAME`, else undefined: the element is left out of the request. */
export function choiceOf(values: Values, name: string): boolean | undefined {
  return values[`no-${name}`] === false ? false : isSet(values, name) || undefined;
}

/** A whole number that fits an XML Schema int. Throws a UsageError for anything else. */
export function numberOf(values: Values, name: string): number | undefined {
  const text = textOf(values, name);
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!/^[+-]?\d{1,10}$/.test(text) || number < -2147483648 || number > 2147483647) {
    throw new UsageError(t('errors.wholeNumber', { option: name, given: JSON.stringify(text) }));
  }
  return number;
}

/** Limit of a text that an option takes from a file. The core applies the limits of the service. */
const mostTextBytes = 256 * 1024 * 1024;

/** Text of the file that an option names. Throws a UsageError if it cannot be read as text in UTF-8. */
export async function fileTextOf(values: Values, name: string): Promise<string | undefined> {
  const path = textOf(values, name);
  return path === undefined ? undefined : readSmallFile(`--${name}`, path, mostTextBytes);
}

/** Text in UTF-8 without a byte order mark. Throws a UsageError. */
export async function readSmallFile(option: string, path: string, mostBytes: number): Promise<string> {
  const bytes = await readGivenFile(path, mostBytes).catch((error: unknown) => {
    const why = failureText(knownFailure(error));
    throw new UsageError(t('errors.cannotBeReadBecause', { option, file: nameOnLine(path), why }));
  });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(t('errors.notUtf8', { option, file: nameOnLine(path) }));
  }
}

/** The value of --credit, otherwise the first credit type of the connection. */
export function creditOf(values: Values, connection: Connection): number {
  const credit = numberOf(values, 'credit') ?? connection.creditTypes[0]?.value;
  if (credit === undefined) throw new UsageError(t('errors.noCreditTypes'));
  return credit;
}

/**
 * Throws a UsageError, before anything is sent, if `file` exists and may not be replaced. A file that appears later is not replaced either; the
 * command then fails.
 */
export async function assertFree(option: string, file: string, mayReplace: boolean): Promise<void> {
  const found = await lstat(file).catch(() => null);
  if (!found) return;
  if (!found.isFile() && !found.isSymbolicLink())
    throw new UsageError(t('errors.notReplaceable', { option, file: nameOnLine(file) }));
  if (!mayReplace) throw new UsageError(t('errors.existsAlready', { option, file: nameOnLine(file) }));
}
