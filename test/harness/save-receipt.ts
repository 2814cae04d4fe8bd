import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Receipt } from '../../contract/receipts.ts';
import type { RunningCore } from './core.ts';

/** The receipt of a document, as it is saved as JSON. */
export async function receiptOf(
  { must, dialogs, dataDir }: Pick<RunningCore, 'must' | 'dialogs' | 'dataDir'>,
  about: { readonly connectionId: string; readonly documentId: string },
): Promise<Receipt> {
  const path = join(dataDir, `receipt-${crypto.randomUUID()}.json`);
  dialogs.targets.push(path);
  await must('receipts.save', { ...about, format: 'json', language: 'en' });
  return JSON.parse(await readFile(path, 'utf8'));
}
