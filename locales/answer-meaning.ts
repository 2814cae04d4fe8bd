import type { Answer, VerdictGroup } from '../contract/answers.ts';
import { meanings } from './en/shared/meanings.ts';
import { serviceCodesEn } from './en/shared/service-codes.ts';

export type MeaningKey = keyof typeof meanings;
export type ServiceCode = keyof typeof serviceCodesEn;

const meaningKeys: ReadonlyMap<string, MeaningKey> = new Map(
  (Object.keys(meanings) as MeaningKey[]).map((key) => [meanings[key], key]),
);

/** The key of a built-in meaning, by its English text; null for a meaning that a person wrote. */
export function meaningKeyOf(meaning: string): MeaningKey | null {
  return meaningKeys.get(meaning) ?? null;
}

/** The English text of a built-in meaning, as answers are stored with it. */
export function builtInMeaning(key: MeaningKey): string {
  return meanings[key];
}

/** True if the meaning of a code is the built-in one, which has a text in every language. */
export function comesWithProgram(code: string, meaning: string): code is ServiceCode {
  return isKnownCode(code) && meaning === sentence(serviceCodesEn[code]);
}

/** Codes about the file itself: the same file gets the same answer. */
const fileCodes: ReadonlySet<string> = new Set(['-143', '-145', '-150', '-155', '-156']);

/** True if the service may answer otherwise when it is asked once more; a code with a meaning of one's own may say anything. */
export function canTryAgain({ group, code, meaning }: Answer<VerdictGroup>): boolean {
  return group === 'no-answer' && !(code && fileCodes.has(code) && comesWithProgram(code, meaning));
}

/** True for a code of the service with a publicly known meaning. */
export function isKnownCode(code: string): code is ServiceCode {
  return Object.hasOwn(serviceCodesEn, code);
}

/** Returns `text` with a capital first letter. */
export function sentence(text: string): string {
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}
