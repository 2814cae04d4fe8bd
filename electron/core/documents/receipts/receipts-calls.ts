import { basename } from 'node:path';
import type { HandlersOf } from '../../../../contract/index.ts';
import { loadTexts } from '../../../../locales/load-texts.ts';
import type { Context } from '../../context.ts';
import { hashFile } from '../../files/hash-file.ts';
import { safeFileName } from '../../files/safe-file-name.ts';
import { chooseTarget, saveFile } from '../../files/target.ts';
import { type Examined, makeReceipt } from './make-receipt.ts';
import { readReceipt } from './read-receipt.ts';
import { isIntact } from './receipt-format.ts';
import { writeReceiptPdf } from './receipt-pdf.ts';

/** Calls about custody receipts: this program's own record of the documents it sent. */
export function receiptCalls(context: Context, examined: Examined): HandlersOf<'receipts'> {
  const { ports, files } = context;
  return {
    'receipts.view': async ({ connectionId, documentId }) => makeReceipt(context, examined, connectionId, documentId),
    'receipts.save': async ({ connectionId, documentId, format, language }) => {
      const receipt = makeReceipt(context, examined, connectionId, documentId);
      const stem = (receipt.file.name ?? receipt.document.name).replace(/\.[^.]{1,8}$/, '');
      const t = await loadTexts(language, 'receipts');
      const named = (name: string) => `${t('fileName', { name })}.${format}`;
      const suggested = safeFileName(named(stem), named(documentId));
      const target = await chooseTarget(ports.dialogs, suggested);
      if (target === null) return null;
      const path = await (format === 'pdf'
        ? writeReceiptPdf(target, receipt, { assetsDir: ports.assetsDir, language })
        : saveFile(target, [JSON.stringify(receipt, null, 2), '\n']));
      return { fileName: basename(path) };
    },
    'receipts.check': async ({ receiptToken, fileToken }) => {
      const receipt = await readReceipt((await files.file(receiptToken)).path);
      const file = await files.file(fileToken);
      const { sha256, sizeBytes } = await hashFile(file.path);
      return {
        receipt,
        isIntact: isIntact(receipt),
        result: resultOf(receipt.file, { sha256, sizeBytes }),
        fileName: file.name,
        sizeBytes,
        sha256,
      };
    },
  };
}

interface Bytes {
  readonly sha256: string | null;
  readonly sizeBytes: number | null;
}

function resultOf(kept: Bytes, found: Bytes): 'same' | 'different' | 'no-hash' {
  if (kept.sha256 === null) return 'no-hash';
  const isSame = kept.sha256.toLowerCase() === found.sha256;
  return isSame && (kept.sizeBytes === null || kept.sizeBytes === found.sizeBytes) ? 'same' : 'different';
}
