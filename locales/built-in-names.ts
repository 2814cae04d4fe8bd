import type { Language } from '../contract/languages.ts';
import { builtInNames as ar } from './ar/shared/built-in-names.ts';
import { builtInNames as de } from './de/shared/built-in-names.ts';
import { builtInNames as en } from './en/shared/built-in-names.ts';
import { builtInNames as es } from './es/shared/built-in-names.ts';
import { builtInNames as fr } from './fr/shared/built-in-names.ts';
import type { Translation } from './translation.ts';

/** The names that the program gives, in every language at once: a stored name may be in any of them. */
export const builtInNames: Readonly<Record<Language, Translation<typeof en>>> = { en, de, fr, es, ar };
