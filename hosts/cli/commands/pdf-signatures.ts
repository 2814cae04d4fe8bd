import { resolve } from 'node:path';
import type { PdfSignature, SignerTrust } from '../../../contract/pdf-signatures.ts';
import { givenTarget, saveFile } from '../../../electron/core/files/target.ts';
import { knownFailure } from '../../../electron/core/foundation/app-error.ts';
import type { ReducedList } from '../../../electron/core/verify/known-signer-files.ts';
import type { FileAnswer } from '../../../electron/core/verify/pdf-signatures/answer/file-answer.ts';
import { createPdfSignatureReader } from '../../../electron/core/verify/pdf-signatures/pdf-signatures-client.ts';
import type { KnownSigners } from '../../../electron/core/verify/pdf-signatures/trust/known-signers.ts';
import { systemPolicy } from '../../../electron/host-kit/system-policy.ts';
import { pagesOf } from '../../../locales/own-verdict.ts';
import { option } from '../arguments/options.ts';
import { assertFree, isSet, textOf, type Values } from '../arguments/values.ts';
import type { PlainCommand } from '../command.ts';
import { type ExitCode, exitCodeOf, exitCodes, UsageError, worstOf } from '../output/exit-code.ts';
import { failureOnLine, failureText, lineText, nameOnLine, type Printer } from '../output/printer.ts';
import { t } from '../output/texts.ts';
import { knownSignerPlaces, policyValuesOf } from './policy.ts';

export const pdfSignaturesCommand: PlainCommand = {
  kind: 'plain',
  name: 'pdf-signatures',
  summary: t('commands.pdfSignatures.summary'),
  arguments: ['<FILE...>'],
  options: [option('--trusted <DIR>', t('options.trusted')), option('--trust-list <FILE>', t('options.trustList'))],
  remarks: [
    t('commands.pdfSignatures.asksNobody'),
    t('commands.pdfSignatures.known'),
    t('commands.pdfSignatures.ends'),
  ],
  examples: [
    ['contract.pdf', t('commands.pdfSignatures.one')],
    ['*.pdf --json', t('commands.pdfSignatures.json')],
  ],
  run: async ({ args, values, printer, interrupted }) => {
    const known = await knownSigners(values, printer);
    // What goes wrong is in the answers.
    const reader = createPdfSignatureReader({ info: () => undefined, error: () => undefined }, async () => known);
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
        const { code, note } = knownFailure(error);
        if (code === 'cancelled') return exitCodes.interrupted;
        const reason = `The file cannot be read: ${note}.`;
        return printFailure(printer, file, error, { ...unread, reason });
      }
    }
  },
};

/** Those of what the line names, instead of what the policy names. Of no use it would make everybody unknown without a word: then it is refused. */
async function knownSigners(values: Values, { remark }: Printer): Promise<KnownSigners> {
  const { readKnownSigners } = await import('../../../electron/core/verify/known-signer-files.ts');
  const place = (path: string | undefined) => (path === undefined ? null : resolve(path));
  const places = { folder: place(textOf(values, 'trusted')), list: place(textOf(values, 'trust-list')) };
  if (places.folder === null && places.list === null)
    return await readKnownSigners(knownSignerPlaces((await policyValuesOf(systemPolicy()))?.mandatory ?? new Map()));
  const known = await readKnownSigners(places);
  for (const { key, note } of known.problems) {
    const [option, kind] = key === 'trustList' ? ['--trust-list', 'list'] : ['--trusted', 'organisation'];
    const text = t('errors.knownSigners', { option, note });
    if (!known.lists.some(({ by }) => by === kind)) throw new UsageError(text);
    remark(text);
  }
  return known;
}

function print(printer: Printer, file: string, answer: FileAnswer): void {
  const { verdict, reason, signatures, revisionEnds, changedPages, needsPassword } = answer;
  const revisions = revisionEnds?.length ?? null;
  const headline = t(`results.pdfSignatures.verdict.${verdict}`);
  const pages = pagesOf(answer);
  const said = reason === null ? headline : `${headline} (${nameOnLine(reason)})`;
  printer.record(
    { file, revisions, verdict, reason, signatures, changedPages, needsPassword },
    [
      lineText(file, said),
      ...(pages ? [`  ${t(`results.pdfSignatures.pages.${pages.what}`, pages)}`] : []),
      ...signatures.map((one) => `  ${signatureText(one)}`),
    ].join('\n'),
  );
}

/** The name of the field and of the signer, the state and the time, as far as they are known. */
function signatureText(signature: PdfSignature) {
  const { field, signer, integrity, algorithm, timestamp, claimedTime, weak, trust } = signature;
  const when = timestamp
    ? t('results.pdfSignatures.timestamp', { when: timestamp })
    : claimedTime && t('results.pdfSignatures.claimed', { when: claimedTime });
  const isWeak = weak.length > 0 ? t('results.pdfSignatures.weak') : null;
  return [
    field,
    signer,
    ...(trust ? trustTexts(trust) : []),
    t(`results.pdfSignatures.integrity.${integrity}`),
    when,
    algorithm,
    isWeak,
  ]
    .filter((part) => part !== null && part !== '')
    .map((part) => nameOnLine(part ?? ''))
    .join(' · ');
}

function trustTexts({ by, list, validity, revocation, revocationAt }: SignerTrust): string[] {
  const when = revocationAt ?? '';
  return [
    by === 'list' && list
      ? t('results.pdfSignatures.trust.list', { list: list.name, when: list.date?.slice(0, 10) ?? '' })
      : t(`results.pdfSignatures.trust.${by === null ? 'nobody' : 'organisation'}`),
    ...(validity === 'valid' ? [] : [t(`results.pdfSignatures.trust.${validity}`)]),
    ...(by === null ? [] : [t(`results.pdfSignatures.trust.${revocation}`, { when })]),
  ];
}

/** What is said of a file that was not read, beside the reason. */
const unread = {
  revisions: null,
  verdict: 'undecidable',
  signatures: [],
};

export const trustListCommand: PlainCommand = {
  kind: 'plain',
  name: 'trust-list',
  summary: t('commands.trustList.summary'),
  arguments: ['<FILE...>'],
  options: [option('-o, --output <FILE>', t('options.trustListOutput')), option('--replace', t('options.replace'))],
  remarks: [t('commands.trustList.unsigned'), t('commands.trustList.policy')],
  examples: [['DE.xml FR.xml -o trust-lists.json', t('commands.trustList.two')]],
  run: async ({ args, values, printer }) => {
    const output = textOf(values, 'output');
    if (output === undefined) throw new UsageError(t('errors.trustListOutput'));
    const path = resolve(output);
    const mayReplace = isSet(values, 'replace');
    await assertFree('-o', path, mayReplace);
    const { readTrustList } = await import('../../../electron/core/verify/read-trust-list.ts');
    const { trustListText } = await import('../../../electron/core/verify/known-signer-files.ts');
    const lists: ReducedList[] = [];
    // Nothing is written unless all can be read: a list that is missing would make signers unknown.
    for (const file of args) {
      try {
        const list = await readTrustList(resolve(file));
        lists.push(list);
        printList(printer, file, list);
      } catch (error) {
        return printFailure(printer, file, error);
      }
    }
    const text = trustListText(lists);
    if (text === null) throw new UsageError(t('errors.trustListsTooMany'));
    try {
      await saveFile(await givenTarget(path, mayReplace), [text]);
    } catch (error) {
      return printFailure(printer, path, error);
    }
    return exitCodes.fine;
  },
};

function printList(printer: Printer, file: string, { name, date, nextUpdate, certificates }: ReducedList): void {
  const count = certificates.length;
  printer.record(
    { file, name, date, nextUpdate, certificates: count },
    lineText(file, t('results.trustList', { name: nameOnLine(name), when: date.slice(0, 10), count })),
  );
}

function printFailure(printer: Printer, file: string, error: unknown, more = {}) {
  const failure = knownFailure(error);
  printer.record({ file, ...more, failure: failureOnLine(failure) }, lineText(file, failureText(failure)));
  return exitCodeOf(failure);
}
