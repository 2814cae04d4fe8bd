import type { DuplicateRule } from '../../../contract/jobs.ts';
import { notXml } from '../../../contract/text.ts';
import type { LocalFile } from '../files/local-file.ts';
import type { JobOrder } from './jobs.ts';

interface RegisterOptions {
  readonly creditType: number;
  readonly name: string;
  readonly description?: string;
  readonly clientId?: string;
  /** The patterns were filled in before: braces are ordinary text. */
  readonly isFilled?: boolean;
  /** What to do with files whose bytes were sent before, by file index. Files in `skip` are left out. */
  readonly duplicates?: {
    readonly otherwise: DuplicateRule;
    readonly skip: readonly number[];
    readonly send: readonly number[];
  };
}

/** Yields one AddNewDocument per file, with the patterns filled in for each. Empty texts are left out. */
export function* registerOrders(files: readonly LocalFile[], given: RegisterOptions): Generator<JobOrder> {
  const { otherwise = 'ask', skip = [], send = [] } = given.duplicates ?? {};
  const [skipped, sent] = [new Set(skip), new Set(send)];
  let n = 0;
  for (const file of files) {
    n += 1;
    if (skipped.has(n - 1)) continue;
    const filled = (text = '') => (given.isFilled ? text : fillPattern(text, file, n));
    const [name, description, clientId] = [filled(given.name), filled(given.description), filled(given.clientId)];
    yield {
      operation: 'AddNewDocument',
      title: file.name,
      args: {
        creditType: given.creditType,
        DocumentName: name || undefined,
        Description: description || undefined,
        ClientID: clientId || undefined,
      },
      file,
      duplicates: sent.has(n - 1) ? 'send' : otherwise,
      record: { name: name || file.name, description, clientId, signers: '', fileName: file.name },
    };
  }
}

/** Linux allows these characters in a file name, XML does not: a file with such a name can still be registered. */
const unsendable = new RegExp(notXml, 'g');

/**
 * Replaces {name} (file name without its ending), {file}, {folder} and {n} (1, 2, 3 …); other braces stay. A
 * character in a file or folder name that XML excludes becomes the replacement character; one that a person typed stays, and is refused
 * later.
 */
export function fillPattern(pattern: string, file: Pick<LocalFile, 'name' | 'folder'>, n: number): string {
  const values: Record<string, string> = {
    '{name}': file.name.replace(/(?<=.)\.[^.]*$/, ''),
    '{file}': file.name,
    '{folder}': file.folder,
    '{n}': String(n),
  };
  return pattern.replaceAll(/\{(?:name|file|folder|n)\}/g, (found) =>
    (values[found] ?? found).replaceAll(unsendable, '\ufffd'),
  );
}
