import type { DuplicateRule } from '../../../contract/jobs.ts';
import { fillPattern, nameOfFile } from '../../../contract/text.ts';
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

/** Yields one AddNewDocument per file, with the patterns filled in for each. A document without a name is called like its file; other empty texts are left out. */
export function* registerOrders(files: readonly LocalFile[], given: RegisterOptions): Generator<JobOrder> {
  const { otherwise = 'ask', skip = [], send = [] } = given.duplicates ?? {};
  const [skipped, sent] = [new Set(skip), new Set(send)];
  let n = 0;
  for (const file of files) {
    n += 1;
    if (skipped.has(n - 1)) continue;
    const filled = (text = '') => (given.isFilled ? text : fillPattern(text, file, n));
    const [description, clientId] = [filled(given.description), filled(given.clientId)];
    const name = filled(given.name) || nameOfFile(file);
    yield {
      operation: 'AddNewDocument',
      title: file.name,
      args: {
        creditType: given.creditType,
        DocumentName: name,
        Description: description || undefined,
        ClientID: clientId || undefined,
      },
      file,
      duplicates: sent.has(n - 1) ? 'send' : otherwise,
      record: { name, description, clientId, signers: '', fileName: file.name },
    };
  }
}
