import { loadTexts, type TextsOf } from '../../locales/load-texts.ts';

export type Texts = TextsOf<'command-line'>;

/** A text that is written when the language is known. */
export type Saying = (t: Texts) => string;

/** For notes of failures and for data, which are English in every language. */
export const english: Texts = await loadTexts('en', 'command-line');
