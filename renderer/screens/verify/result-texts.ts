import type { TFunction } from 'i18next';
import type { VerdictGroup } from '../../../contract/answers.ts';
import type { FileVerdict, PdfSignature, PdfSignatures } from '../../../contract/pdf-signatures.ts';
import type { VerifyRun } from '../../../contract/verify.ts';
import type {
  EarlierResult,
  EarlierRevision,
  FileHistory,
  Qualification,
  VerdictFinding,
  VerifyResult,
} from '../../../contract/verify-result.ts';
import { codeWords, failureText } from '../../bridge/failure-text.ts';
import { isWrittenHere, meaningText } from '../../features/jobs/meaning-text.ts';
import type { ChipTone } from '../../parts/chip.tsx';
import { type useFormat, visibleName } from '../../parts/format.ts';

type Format = ReturnType<typeof useFormat>;

/** From when to when a run was answered, each as `say` says it: one that was resumed may have answers of days. Only its end where it took less than a minute. */
export function spanOf(t: TFunction, { startedAt, endedAt }: VerifyRun, say: (iso: string) => string): string {
  const to = endedAt ?? startedAt;
  const isLong = Date.parse(to) - Date.parse(startedAt) >= 60_000;
  return isLong ? t('common.span', { from: say(startedAt), to: say(to) }) : say(to);
}

/** The values on which the text about an answer depends. */
export interface VerdictBasis {
  readonly group: VerdictGroup;
  readonly finding: VerdictFinding | null;
  readonly qualification: Qualification | null;
}

/** The heading for an answer. */
export function verdictHeading(t: TFunction, basis: VerdictBasis): string {
  if (basis.group === 'unclear' && basis.qualification?.reason !== 'unsorted-word') return t('verify.unclearSorted');
  return basis.finding ? t(`verify.finding.${basis.finding}`) : t(`verify.group.${basis.group}`);
}

/** What an answer can mean for the person. */
export function verdictMeaning(t: TFunction, { group, finding }: Pick<VerdictBasis, 'group' | 'finding'>): string {
  return t(`verify.meaning.${finding ?? group}`);
}

/** The heading of a result; the text for a file that was not verified must not sound like an answer. */
export function headingOf(t: TFunction, result: VerifyResult): string {
  if (result.change === 'gone') return t('verify.goneFile');
  if (result.state === 'asking') return t('verify.askingOne');
  if (!result.askedAt && result.state === 'pending') return t(result.sha256 ? 'own.local.notAsked' : 'verify.pending');
  return verdictHeading(t, {
    group: result.answer?.group ?? 'no-answer',
    finding: result.finding,
    qualification: result.qualification,
  });
}

/** True for a file that was read without asking the service about it. */
export function isLookedAt({ state, sha256 }: Pick<VerifyResult, 'state' | 'sha256'>): boolean {
  return state === 'pending' && sha256 !== null;
}

/** That another file of the same name was registered here, and when: a coincidence of names, which says nothing about this file. */
export function namesakeText(
  t: TFunction,
  format: Format,
  { name, namesake }: Pick<FileHistory, 'name' | 'namesake'>,
): string | null {
  return (
    namesake && t('verify.namesake', { name: visibleName(name), when: format.momentInText(namesake.registeredAt) })
  );
}

/**
 * The lines below the name: the change and local knowledge, then the possible meaning. `elsewhere`: name of the connection over which the file was
 * registered, if this verification asks another one.
 */
export function hintsOf(t: TFunction, format: Format, result: VerifyResult, elsewhere: string | null): string[] {
  if (result.change === 'gone') return [t('verify.changeOf.gone', { answer: earlierText(t, result.earlier) })];
  if (result.state === 'asking' || !(result.answer || result.failure)) return [format.bytes(result.sizeBytes)];
  const change = result.change === null || result.change === 'unchanged' ? null : changeText(t, result);
  return [
    joined([change, knownText(t, format, result, elsewhere), namesakeText(t, format, result)], ' '),
    meaningOf(t, result),
  ].filter((line) => line !== '');
}

/** The change since the last run; only for results of an audit. */
export function changeText(t: TFunction, result: VerifyResult): string | null {
  return result.change === null
    ? null
    : t(`verify.changeOf.${result.change}`, { answer: earlierText(t, result.earlier) });
}

export function earlierText(t: TFunction, earlier: EarlierResult | null): string {
  if (!earlier) return t('verify.pending');
  if (earlier.raw !== null) return t('common.quote', { text: earlier.raw });
  return t(`verify.group.${earlier.group}`);
}

/** What the heading does not say yet. */
function meaningOf(t: TFunction, result: VerifyResult): string {
  const { answer, failure, finding, qualification } = result;
  const group = answer?.group ?? 'no-answer';
  if (failure) {
    const text = failureText(t, failure);
    return joined([`${text.heading}.`, text.words], ' ');
  }
  // The number of the code is in the details.
  if (answer?.code) return group === 'not-pdf' ? '' : codeWords(t, answer.code, answer.meaning);
  const meaning = answer ? meaningText(t, answer) : '';
  const written = answer && isWrittenHere(answer) ? meaning : '';
  switch (group) {
    case 'no-answer':
      return meaning;
    case 'not-confirmed':
      return written || (finding ? '' : verdictMeaning(t, { group, finding }));
    case 'unclear':
      // Only words can be given a meaning.
      return (
        meaning ||
        (qualification?.reason === 'empty-answer' ? t('verify.reason.empty-answer') : t('verify.unclearHint'))
      );
    case 'confirmed-with-remark':
      return written || (finding ? '' : verdictMeaning(t, { group, finding }));
    default:
      return written;
  }
}

/** What this computer knows about the same bytes: as what they were registered, or from which document they were downloaded. */
function knownText(t: TFunction, format: Format, result: VerifyResult, elsewhere: string | null): string {
  const { knownHere: known, downloadedHere: downloaded, comparison } = result;
  const registered =
    known &&
    t(elsewhere ? 'verify.knownElsewhere' : known.clientId ? 'verify.knownWithReference' : 'verify.known', {
      connection: elsewhere ?? '',
      when: format.momentInText(known.registeredAt),
      name: visibleName(known.name),
      reference: known.clientId,
    });
  const saved =
    downloaded &&
    t('verify.downloaded', {
      when: format.momentInText(downloaded.downloadedAt),
      name: visibleName(downloaded.name),
    });
  const copies = { same: 'verify.copySame', different: 'verify.copyDifferent' } as const;
  const compared =
    comparison?.state === 'same' || comparison?.state === 'different' ? t(copies[comparison.state]) : null;
  return joined([registered, known?.documentId === null ? t('verify.noId') : null, saved, compared], ' · ');
}

function joined(parts: readonly (string | null)[], separator: string): string {
  return parts.filter((part) => part !== null && part !== '').join(separator);
}

/** What the file itself proves is never green as long as nobody says who the signer is: anybody can make a signature that fits. */
export const ownTones: Record<FileVerdict, ChipTone> = {
  broken: { tone: 'refused' },
  changed: { tone: 'refused', icon: 'unequal' },
  undecidable: { tone: 'silent', icon: 'help' },
  'only-additions-allowed': { tone: 'info', icon: 'plus' },
  unchanged: { tone: 'info', icon: 'equal' },
  unsigned: { tone: 'silent', icon: 'minus' },
};

/** Counted and filtered; files without a signature are not. */
export const ownByNeed: readonly Exclude<FileVerdict, 'unsigned'>[] = [
  'broken',
  'changed',
  'undecidable',
  'only-additions-allowed',
  'unchanged',
];

/** True where the service confirms what the file itself contradicts. The file's own word never makes a result better: anybody can sign a changed file anew. */
export function isContradicted({ answer, signatures }: Pick<VerifyResult, 'answer' | 'signatures'>): boolean {
  const isConfirmed = answer?.group === 'confirmed' || answer?.group === 'confirmed-with-remark';
  return isConfirmed && (signatures?.verdict === 'broken' || signatures?.verdict === 'changed');
}

export function contradictionText(t: TFunction, { verdict }: PdfSignatures): string {
  return t('own.disagreeText', { verdict: t(`own.verdict.${verdict}`) });
}

/** `number`: in the list of all, from 1. */
export function signatureTitle(t: TFunction, { level }: PdfSignature, number: number): string {
  return level === 'timestamp' ? t('own.stamp') : t('own.signature', { number });
}

/** As what the beginning of the file is known here, and what came after it. */
export function originText(
  t: TFunction,
  format: ReturnType<typeof useFormat>,
  { registered, downloaded, signaturesAfter: count }: EarlierRevision,
): string {
  if (registered) {
    const known = { name: visibleName(registered.name), when: format.momentInText(registered.registeredAt) };
    return count > 0 ? t('own.registered', { ...known, count }) : t('own.registeredMore', known);
  }
  const known = {
    name: visibleName(downloaded?.name ?? ''),
    when: downloaded ? format.momentInText(downloaded.downloadedAt) : '',
  };
  return count > 0 ? t('own.downloaded', { ...known, count }) : t('own.downloadedMore', known);
}
