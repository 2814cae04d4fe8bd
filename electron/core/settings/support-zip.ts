import { strToU8, zipSync } from 'fflate';
import type { SupportReport } from '../../../contract/diagnostics.ts';

/** Name of the folder in the zip file, and of the zip file itself without its ending. */
export function supportName(at: Date): string {
  return `Sealdesk-support-${at.toISOString().slice(0, 10)}`;
}

/** The report's files by the names that they are saved under. */
export function supportEntries({
  files,
}: Pick<SupportReport, 'files'>): readonly (readonly [name: string, text: string])[] {
  return files.map(({ name, text }) => [`${name}.txt`, text]);
}

/** A report as a zip file of text files. It is small: the log in it is bounded. */
export function supportZip(report: Pick<SupportReport, 'files'>, at: Date): Uint8Array {
  const entries = supportEntries(report).map(([name, text]) => [`${supportName(at)}/${name}`, strToU8(text)]);
  return zipSync(Object.fromEntries(entries), { mtime: at });
}
