import { createInstance, type i18n } from 'i18next';
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

/** A fresh i18next with all catalogues in it: nothing is fetched. */
export function createTexts(language: string): i18n {
  const texts = createInstance();
  void texts.use(initReactI18next).init({
    lng: language,
    fallbackLng: 'en',
    resources: { en: { translation: en }, de: { translation: de } },
    // React escapes by itself.
    interpolation: { escapeValue: false },
    initAsync: false,
  });
  return texts;
}
