import { createInstance, type FormatterModule, type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { de } from './de.ts';
import { en } from './en.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: { translation: typeof en };
  }
}

/** Languages with a complete catalogue, by their own names. */
export const languages = [
  { tag: 'en', name: 'English' },
  { tag: 'de', name: 'Deutsch' },
] as const;

/** The catalogue to use for a preference: the tag itself, its base language, or English. */
export function languageFor(preference: string, systemTags: readonly string[]): string {
  const wanted = preference === 'system' ? systemTags : [preference];
  for (const tag of wanted) {
    const found = languages.find((language) => language.tag === tag || tag.startsWith(`${language.tag}-`));
    if (found) return found.tag;
  }
  return 'en';
}

/** The system's own region for the language of the window, so that numbers look as elsewhere on this computer. */
export function localeFor(language: string, systemTags: readonly string[]): string {
  return systemTags.find((tag) => tag === language || tag.startsWith(`${language}-`)) ?? language;
}

/** A fresh i18next with all catalogues in it: nothing is fetched. Numbers in sentences are grouped as `systemTags` want it: 5,000. */
export function createTexts(language: string, systemTags: readonly string[]): i18n {
  const texts = createInstance();
  void texts
    .use(initReactI18next)
    .use(groupedNumbers(systemTags))
    .init({
      lng: language,
      fallbackLng: 'en',
      resources: { en: { translation: en }, de: { translation: de } },
      // React escapes by itself.
      interpolation: { escapeValue: false, alwaysFormat: true },
      initAsync: false,
    });
  return texts;
}

/** What is a name and no count (a code, an ID) is given to a sentence as text. */
function groupedNumbers(systemTags: readonly string[]): FormatterModule {
  const known = new Map<string, Intl.NumberFormat>();
  const numbersOf = (language: string) => {
    const numbers = known.get(language) ?? new Intl.NumberFormat(localeFor(language, systemTags));
    known.set(language, numbers);
    return numbers;
  };
  return {
    type: 'formatter',
    init: () => undefined,
    add: () => undefined,
    addCached: () => undefined,
    format: (value, _format, language = 'en') =>
      typeof value === 'number' ? numbersOf(language).format(value) : value,
  };
}
