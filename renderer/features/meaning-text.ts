import type { TFunction } from 'i18next';
import type { Answer } from '../../contract/answer.ts';
import { comesWithProgram, sentence } from '../bridge/code-text.ts';
import { enAnswers } from '../locales/en-answers.ts';

type MeaningKey = keyof typeof enAnswers.meanings;

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
