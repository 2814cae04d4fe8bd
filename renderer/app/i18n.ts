import { type BackendModule, createInstance, type FormatterModule, type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { languageTags } from '../../contract/languages.ts';
import { localeFor } from '../../locales/choose-language.ts';
import { texts as english } from '../../locales/en/window/window.ts';
import { isolated } from '../../locales/isolate.ts';
// Declares to i18next which texts exist, for the types of their keys.
import type {} from '../../locales/load-texts.ts';

/**
 * Creates an i18next instance with the texts of English, used for texts that cannot be loaded, and of `language`. Texts of another language are
 * loaded by `changeLanguage`, which resolves when they are there. Numbers in sentences are grouped by the rules of `systemTags` (BCP 47): 5,000.
 */
export async function createTexts(language: string, systemTags: readonly string[]): Promise<i18n> {
  const texts = createInstance();
  await texts
    .use(initReactI18next)
    .use(otherLanguages)
    .use(formattedValues(systemTags))
    .init({
      lng: language,
      fallbackLng: 'en',
      supportedLngs: languageTags,
      resources: { en: { translation: english } },
      partialBundledLanguages: true,
      // React escapes texts itself.
      interpolation: { escapeValue: false, alwaysFormat: true },
      initAsync: false,
      // The window is not shown before its language is loaded.
      react: { useSuspense: false },
    });
  return texts;
}

/** In the built window each language is a separate file, except English, which is part of the window. */
const textsOf = import.meta.glob<typeof english>(
  ['../../locales/*/window/window.ts', '!../../locales/en/window/window.ts'],
  { import: 'texts' },
);

const otherLanguages: BackendModule = {
  type: 'backend',
  init: () => undefined,
  read: (language, _namespace, done) => {
    Promise.resolve(textsOf[`../../locales/${language}/window/window.ts`]?.()).then(
      (texts) => (texts ? done(null, texts) : done(`there are no texts in ${language}`, false)),
      (error) => done(error, false),
    );
  },
};

/** Formats numbers in sentences, and lets other values keep their direction. Codes and IDs are passed as text and stay unformatted. */
function formattedValues(systemTags: readonly string[]): FormatterModule {
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
    format: (value, _format, language = 'en') => {
      if (typeof value === 'number') return numbersOf(language).format(value);
      return typeof value === 'string' ? isolated(value, language) : value;
    },
  };
}
