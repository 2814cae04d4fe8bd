import type { TFunction } from 'i18next';
import { serviceCodesEn } from '../locales/service-codes.ts';

type Code = keyof typeof serviceCodesEn;

/** The number of a code and what it stands for: as somebody here named it, else as it is publicly known. */
export function codeText(t: TFunction, code: string, meaning = ''): string {
  if (meaning !== '' && !comesWithProgram(code, meaning))
    return t('failures.codeMeaning', { code, meaning: meaning.replace(/[.!?]$/, '') });
  return isKnownCode(code)
    ? t('failures.codeMeaning', { code, meaning: t(`serviceCodes.${code}`) })
    : t('failures.codeUnknown', { code });
}

/** True where the meaning of a code is the publicly known one, which the window translates. */
export function comesWithProgram(code: string, meaning: string): code is Code {
  return isKnownCode(code) && meaning === sentence(serviceCodesEn[code]);
}

function isKnownCode(code: string): code is Code {
  return Object.hasOwn(serviceCodesEn, code);
}

/** With a capital letter at its beginning. */
export function sentence(text: string): string {
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}
