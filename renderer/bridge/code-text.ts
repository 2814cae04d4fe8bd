import type { TFunction } from 'i18next';
import { comesWithProgram, isKnownCode } from '../../locales/answer-meaning.ts';

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
