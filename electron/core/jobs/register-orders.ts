import type { DuplicateRule } from '../../../contract/jobs.ts';
import type { LocalFile } from '../files/local-file.ts';
import type { JobOrder } from './jobs.ts';

interface Given {
  readonly creditType: number;
  readonly name: string;
  readonly description?: string;
  readonly clientId?: string;
  /** The texts were filled before: braces in them are no patterns. */
  readonly isFilled?: boolean;
  /** By the file's index: what to do where its bytes are there already. `skip` by name: it is left out. */
  readonly duplicates?: {
    readonly otherwise: DuplicateRule;
    readonly skip: readonly number[];
    readonly send: readonly number[];
  };
}

/** One AddNewDocument a file, the patterns filled for each. A text that comes out empty is left out. */
export function* registerOrders(files: readonly LocalFile[], given: Given): Generator<JobOrder> {
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

/** Linux allows any of these in a name, XML hardly one: a file with such a name can still be registered. */
const unprintable = /[\p{Cc}\p{Cs}\ufffe\uffff]/gu;

/**
 * Fills {name} (file name without its ending), {file}, {folder} and {n} (1, 2, 3 …); other braces stay as
 * they are. A control character of the file system's becomes the replacement sign; one that a person typed stays, and is refused.
 */
export function fillPattern(pattern: string, file: Pick<LocalFile, 'name' | 'folder'>, n: number): string {
  const values: Record<string, string> = {
    '{name}': file.name.replace(/(?<=.)\.[^.]*$/, ''),
    '{file}': file.name,
    '{folder}': file.folder,
    '{n}': String(n),
  };
  return pattern.replaceAll(/\{(?:name|file|folder|n)\}/g, (found) =>
    (values[found] ?? found).replaceAll(unprintable, '\ufffd'),
  );
}
