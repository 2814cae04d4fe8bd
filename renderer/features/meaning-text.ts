import type { TFunction } from 'i18next';
import type { Answer } from '../../contract/answer.ts';
import { enAnswers } from '../locales/en-answers.ts';
import { serviceCodesEn } from '../locales/service-codes.ts';

type MeaningKey = keyof typeof enAnswers.meanings;
type Code = keyof typeof serviceCodesEn;

const meaningKeys: ReadonlyMap<string, MeaningKey> = new Map(
  (Object.keys(enAnswers.meanings) as MeaningKey[]).map((key) => [enAnswers.meanings[key], key]),
);

/**
 * What an answer means, in the language of the window: lines that come with the program are translated, lines that people wrote stay as they are.
 * Empty where the table of answers says nothing.
 */
export function meaningText(t: TFunction, { meaning, code }: Pick<Answer, 'meaning' | 'code'>): string {
  if (code !== undefined && comesWithProgram(code, meaning)) return sentence(t(`serviceCodes.${code}`));
  const key = meaningKeys.get(meaning);
  return key ? t(`answers.meanings.${key}`) : meaning;
}

/** True for a line that somebody here wrote: it says more than the heading of its group. */
export function isWrittenHere({ meaning, code }: Pick<Answer, 'meaning' | 'code'>): boolean {
  return meaning !== '' && !meaningKeys.has(meaning) && !(code !== undefined && comesWithProgram(code, meaning));
}

/** The number of a code and what it stands for: as somebody here named it, else as it is publicly known. */
export function codeText(t: TFunction, code: string, meaning = ''): string {
  if (meaning !== '' && !comesWithProgram(code, meaning))
    return t('failures.codeMeaning', { code, meaning: meaning.replace(/[.!?]$/, '') });
  return isKnownCode(code)
    ? t('failures.codeMeaning', { code, meaning: t(`serviceCodes.${code}`) })
    : t('failures.codeUnknown', { code });
}

function comesWithProgram(code: string, meaning: string): code is Code {
  return isKnownCode(code) && meaning === sentence(serviceCodesEn[code]);
}

function isKnownCode(code: string): code is Code {
  return Object.hasOwn(serviceCodesEn, code);
}

function sentence(text: string): string {
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}
