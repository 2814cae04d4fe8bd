/** Languages with texts, by their own names. A new language is a line here and a folder in `locales/`. */
export const languages = { en: 'English', de: 'Deutsch' } as const;

/** BCP 47 tag of a language, without a region. */
export type Language = keyof typeof languages;

export const languageTags = Object.keys(languages) as readonly Language[];
