import { resolve } from 'node:path';
import type { Failure } from '../../../contract/failure.ts';
import type { PdfSignature } from '../../../contract/pdf-signatures.ts';
import { failureOf } from '../../../electron/core/foundation/app-error.ts';
import type { FileAnswer } from '../../../electron/core/verify/pdf-signatures/answer/file-answer.ts';
import { createPdfSignatureReader } from '../../../electron/core/verify/pdf-signatures/pdf-signatures-client.ts';
import type { PlainCommand } from '../command.ts';
import { type ExitCode, exitCodeOf, exitCodes, worstOf } from '../exit-code.ts';
import { failureText } from '../failure-text.ts';
import { failureOnLine, lineText, nameOnLine, type Printer } from '../printer.ts';
import type { Texts } from '../texts.ts';

export const pdfSignaturesCommand: PlainCommand = {
  kind: 'plain',
  name: 'pdf-signatures',
  summary: (t) => t('commands.pdfSignatures.summary'),
  arguments: ['<FILE...>'],
  options: [],
  remarks: [(t) => t('commands.pdfSignatures.asksNobody'), (t) => t('commands.pdfSignatures.ends')],
  examples: [
    ['contract.pdf', (t) => t('commands.pdfSignatures.one')],
    ['*.pdf --json', (t) => t('commands.pdfSignatures.json')],
  ],
  run: async ({ args, printer, interrupted }) => {
    // What goes wrong is in the answers.
    const reader = createPdfSignatureReader({ info: () => undefined, error: () => undefined });
    const codes: ExitCode[] = [];
    try {
      for (const file of args) {
        if (interrupted.aborted) return exitCodes.interrupted;
        codes.push(await describe(file));
      }
    } finally {
      await reader.close();
    }
    return worstOf(codes);

    async function describe(file: string): Promise<ExitCode> {
      try {
        const answer = await reader.describe(resolve(file), { signal: interrupted, isPdf: true });
        if (answer) print(printer, file, answer);
        return exitCodes.fine;
      } catch (error) {
        const failure = failureOf(error);
        if (!failure) throw error;
        if (failure.code === 'cancelled') return exitCodes.interrupted;
        printUnopened(printer, file, failure);
        return exitCodeOf(failure);
      }
    }
  },
};

function print(printer: Printer, file: string, answer: FileAnswer): void {
  const { verdict, reason, signatures, revisionEnds, changedPages, needsPassword } = answer;
  const revisions = revisionEnds?.length ?? null;
  printer.record({ file, revisions, verdict, reason, signatures, changedPages, needsPassword }, (t) => {
    const headline = t(`results.pdfSignatures.verdict.${verdict}`);
    const said = reason === null ? headline : `${headline} (${nameOnLine(reason)})`;
    return [lineText(t, file, said), ...signatures.map((one) => `  ${signatureText(t, one)}`)].join('\n');
  });
}

/** The name of the field and of the signer, the state and the time, as far as they are known. */
function signatureText(t: Texts, { field, signer, integrity, algorithm, timestamp, claimedTime, weak }: PdfSignature) {
  const when = timestamp
    ? t('results.pdfSignatures.timestamp', { when: timestamp })
    : claimedTime && t('results.pdfSignatures.claimed', { when: claimedTime });
  const isWeak = weak.length > 0 ? t('results.pdfSignatures.weak') : null;
  return [field, signer, t(`results.pdfSignatures.integrity.${integrity}`), when, algorithm, isWeak]
    .filter((part) => part !== null && part !== '')
    .map((part) => nameOnLine(part ?? ''))
    .join(' · ');
}

function printUnopened(printer: Printer, file: string, failure: Failure): void {
  const { note, code } = failureOnLine(failure);
  printer.record(
    {
      file,
      revisions: null,
      verdict: 'undecidable',
      reason: `The file cannot be read: ${note}.`,
      signatures: [],
      failure: { code, note },
    },
    (t) => lineText(t, file, failureText(t, failure)),
  );
}
