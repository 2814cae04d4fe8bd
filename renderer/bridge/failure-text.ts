import type { TFunction } from 'i18next';
import type { Failure, FailureDetail } from '../../contract/failure.ts';
import { comesWithProgram, isKnownCode } from '../../locales/answer-meaning.ts';
import { visibleName } from '../parts/format.ts';

/** Codes whose text is used instead of that of the detail, because it says more, for example what the failure means for costs. */
const codeFirst: ReadonlySet<Failure['code']> = new Set(['outcome-unknown', 'credentials-rejected']);

/** The texts for a failure that a person reads; `subject` is the file or object concerned. */
export function failureText(t: TFunction, failure: Failure, subject?: string) {
  const useDetail =
    failure.detail === 'unclear-answer' || (failure.detail !== undefined && !codeFirst.has(failure.code));
  const heading = useDetail
    ? t(`failures.detail.${failure.detail as FailureDetail}.heading`, {
        row: failure.row,
        name: visibleName(failure.knownAs ?? ''),
      })
    : t(`failures.code.${failure.code}.heading`);
  const advice = useDetail
    ? t(`failures.detail.${failure.detail as FailureDetail}.advice`)
    : t(`failures.code.${failure.code}.advice`);
  return {
    heading: subject ? t('failures.about', { subject, heading }) : heading,
    advice,
    /** The meaning of the service's code, and the service's answer, if there are any. */
    words: wordsOf(t, failure),
    /** Everything the failure contains, for support. It never contains a secret. */
    technical: technicalOf(t, failure),
  };
}

/** One short line, for lists of skipped files. */
export function skipText(t: TFunction, reason: FailureDetail, kind: string | undefined): string {
  return reason === 'file-not-pdf' && kind ? t('failures.seemsToBe', { kind }) : t(`failures.detail.${reason}.heading`);
}

function wordsOf(t: TFunction, failure: Failure): string | null {
  const code = failure.serviceCode && /^-\d+$/.test(failure.serviceCode) ? codeText(t, failure.serviceCode) : null;
  const raw = failure.raw && failure.raw !== failure.serviceCode ? t('common.quote', { text: failure.raw }) : null;
  return [code, raw].filter((part) => part !== null).join(' ') || null;
}

function technicalOf(t: TFunction, failure: Failure): string {
  const lines: readonly (readonly [string, string | undefined])[] = [
    [t('failures.codeLabel'), [failure.code, failure.detail].filter(Boolean).join(' / ')],
    [t('failures.noteLabel'), failure.note],
    [t('failures.serviceCodeLabel'), failure.serviceCode],
    [t('failures.rawLabel'), failure.raw],
    [t('failures.referenceLabel'), failure.reference],
    ...Object.entries(failure.fields ?? {}),
  ];
  return lines
    .filter(([, value]) => value)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

/** The number of a code with its meaning: the one assigned here, else the publicly known one. */
export function codeText(t: TFunction, code: string, meaning = ''): string {
  if (meaning !== '' && !comesWithProgram(code, meaning))
    return t('failures.codeMeaning', { code, meaning: meaning.replace(/[.!?]$/, '') });
  return isKnownCode(code)
    ? t('failures.codeMeaning', { code, meaning: t(`serviceCodes.${code}`) })
    : t('failures.codeUnknown', { code });
}

/** What a code means, without its number; the number is said only of a code that nobody knows. */
export function codeWords(t: TFunction, code: string, meaning = ''): string {
  if (meaning !== '' && !comesWithProgram(code, meaning))
    return t('failures.codeSays', { meaning: meaning.replace(/[.!?]$/, '') });
  return isKnownCode(code)
    ? t('failures.codeSays', { meaning: t(`serviceCodes.${code}`) })
    : t('failures.codeUnknown', { code });
}
