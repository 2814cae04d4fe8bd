import { type Language, languageTags } from '../contract/languages.ts';

/**
 * The language for a preference: a BCP 47 tag, or `system` for the first of `systemTags` (in the person's order) with texts. Regions are ignored;
 * English if there are no texts in the language.
 */
export function languageFor(preference: string, systemTags: readonly string[]): Language {
  const wanted = preference === 'system' ? systemTags : [preference];
  for (const tag of wanted) {
    const found = languageTags.find((language) => isOfLanguage(tag, language));
    if (found) return found;
  }
  return 'en';
}

/** The system's region for a language, so that numbers and times look as elsewhere on this computer; without a region, the language itself. */
export function localeFor(language: string, systemTags: readonly string[]): string {
  return systemTags.find((tag) => isOfLanguage(tag, language)) ?? language;
}

function isOfLanguage(tag: string, language: string): boolean {
  const lower = tag.toLowerCase();
  return lower === language || lower.startsWith(`${language}-`);
}
