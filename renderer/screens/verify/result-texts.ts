import type { TFunction } from 'i18next';
import type { VerdictGroup } from '../../../contract/answer.ts';
import type { EarlierResult, Qualification, VerifyResult } from '../../../contract/verify-result.ts';
import { codeText } from '../../bridge/code-text.ts';
import { failureText } from '../../bridge/failure-text.ts';
import { isWrittenHere, meaningText } from '../../features/meaning-text.ts';
import type { useFormat } from '../../parts/format.ts';

type Format = ReturnType<typeof useFormat>;

/** The values on which the text about an answer depends. */
export interface VerdictBasis {
  readonly group: VerdictGroup;
  readonly qualification: Qualification | null;
  readonly raw: string | null;
  readonly isFileTrouble: boolean;
}

/** The heading for an answer. */
export function verdictHeading(t: TFunction, basis: VerdictBasis): string {
  if (basis.isFileTrouble) return t('verify.notChecked');
  // The service answered with a code that says nothing about the file, which differs from no answer.
  if (basis.group === 'no-answer' && basis.raw !== null) return t('verify.noVerdict');
  if (basis.group === 'unclear' && basis.qualification?.reason !== 'unsorted-word') return t('verify.unclearSorted');
  return t(`verify.group.${basis.group}`);
}

/** The heading of a result; the text for a file that was not verified must not sound like an answer. */
export function headingOf(t: TFunction, result: VerifyResult): string {
  if (result.change === 'gone') return t('verify.goneFile');
  if (result.state === 'pending') return t('verify.pending');
  if (result.state === 'asking') return t('verify.askingOne');
  return verdictHeading(t, {
    group: result.answer?.group ?? 'no-answer',
    qualification: result.qualification,
    raw: result.raw,
    isFileTrouble: result.qualification?.reason === 'file',
  });
}

/** The second line: the change, local knowledge, the possible meaning. */
export function hintOf(t: TFunction, format: Format, result: VerifyResult): string {
  if (result.change === 'gone') return t('verify.changeOf.gone', { answer: earlierText(t, result.earlier) });
  if (result.state !== 'answered') return format.bytes(result.sizeBytes);
  const change = result.change === null || result.change === 'unchanged' ? null : changeText(t, result);
  return [change, meaningOf(t, format, result)].filter(Boolean).join(' ');
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

function meaningOf(t: TFunction, format: Format, result: VerifyResult): string {
  const group = result.answer?.group ?? 'no-answer';
  if (result.failure) {
    const text = failureText(t, result.failure);
    return [`${text.heading}.`, text.words, t('verify.saysNothing')].filter(Boolean).join(' ');
  }
  const here = knownText(t, format, result);
  const code = result.answer?.code ? codeText(t, result.answer.code, result.answer.meaning) : null;
  const meaning = result.answer ? meaningText(t, result.answer) : '';
  const own = meaning && `${meaning}${/[.!?]$/.test(meaning) ? '' : '.'}`;
  const written = result.answer && isWrittenHere(result.answer) ? own : '';
  switch (group) {
    case 'no-answer':
      return [code ?? own, t('verify.saysNothing')].filter(Boolean).join(' ');
    case 'not-confirmed':
      return [here ? `${here}.` : t('verify.notKnown'), code ?? written, t('verify.notConfirmedHint')]
        .filter(Boolean)
        .join(' ');
    case 'unclear':
      return code ?? (own || t('verify.unclearHint'));
    case 'confirmed-with-remark':
      return [here, written || t('verify.remarkHint')].filter(Boolean).join(' · ');
    default:
      return [here ?? t('verify.notKnown'), written].filter(Boolean).join(' · ');
  }
}

function knownText(t: TFunction, format: Format, result: VerifyResult): string | null {
  const known = result.knownHere;
  if (!known) return null;
  const registered = t(known.clientId ? 'verify.knownWithReference' : 'verify.known', {
    date: format.date(known.registeredAt),
    name: known.name,
    reference: known.clientId,
  });
  const compared = result.comparison?.state;
  if (compared === 'same') return `${registered} · ${t('verify.copySame')}`;
  return compared === 'different' ? `${registered} · ${t('verify.copyDifferent')}` : registered;
}
