import type { TFunction } from 'i18next';
import type { Answer } from '../../../contract/answers.ts';
import { comesWithProgram, meaningKeyOf, sentence } from '../../../locales/answer-meaning.ts';

/**
 * The meaning of an answer in the language of the window: built-in meanings are translated, a person's own meanings are used as they are. Empty if
 * the answers table has none.
 */
export function meaningText(t: TFunction, { meaning, code }: Pick<Answer, 'meaning' | 'code'>): string {
  if (code !== undefined && comesWithProgram(code, meaning)) return sentence(t(`serviceCodes.${code}`));
  const key = meaningKeyOf(meaning);
  return key ? t(`answers.meanings.${key}`) : meaning;
}

/** True for a meaning that a person wrote: it says more than the heading of its group. */
export function isWrittenHere({ meaning, code }: Pick<Answer, 'meaning' | 'code'>): boolean {
  return meaning !== '' && meaningKeyOf(meaning) === null && !(code !== undefined && comesWithProgram(code, meaning));
}

/** To whom a request was sent, in a few words: the name of a single signer, else the addresses. Empty for what was not sent to anybody. */
export function sentToText(sentTo: string): string {
  const words = sentTo.split(/\s+/).filter((word) => word !== '');
  const addresses = words.filter((word) => word.includes('@'));
  const name = words.filter((word) => !word.includes('@')).join(' ');
  return addresses.length === 1 && name !== '' ? name : addresses.join(', ');
}
