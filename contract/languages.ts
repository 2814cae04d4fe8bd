/** Languages with texts, by their own names. A new language: *Where a change goes* in docs/architecture.md. */
export const languages = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  ar: 'العربية',
} as const;

/** BCP 47 tag of a language, without a region. */
export type Language = keyof typeof languages;

export const languageTags = Object.keys(languages) as readonly Language[];

/** Languages whose script runs from right to left. */
const rightToLeft: ReadonlySet<string> = new Set(['ar', 'fa', 'he', 'ur']);

/** The direction of texts in a language: a BCP 47 tag with or without a region. */
export function directionOf(tag: string): 'ltr' | 'rtl' {
  return rightToLeft.has(tag.toLowerCase().split('-', 1)[0] ?? '') ? 'rtl' : 'ltr';
}
