import { app } from 'electron';
import type { TFunction } from 'i18next';
import { languageFor } from '../../../locales/choose-language.ts';
import { loadTexts } from '../../../locales/load-texts.ts';

/** Texts of menu, system dialogs and message boxes in one language. */
export type Texts = TFunction<'desktop'>;

export type DesktopTexts = Awaited<ReturnType<typeof createDesktopTexts>>;

/** Resolves when the texts in the system's language are loaded. */
export async function createDesktopTexts() {
  const languageOf = (preference: string) => languageFor(preference, systemLanguages());
  let wanted = 'system';
  let language = languageOf(wanted);
  let texts = await loadTexts(language, 'desktop');
  return {
    /** Texts in the language of the last applied setting; before the first one, in the system's language. */
    current: (): Texts => texts,
    /** Loads the language of a setting. False if another setting was applied meanwhile; that one is used. */
    apply: async (preference: string): Promise<boolean> => {
      wanted = preference;
      const next = languageOf(preference);
      const loaded = next === language ? texts : await loadTexts(next, 'desktop');
      if (wanted !== preference) return false;
      [language, texts] = [next, loaded];
      return true;
    },
  };
}

/** BCP 47 tags, in the order that the person set in the system. */
export function systemLanguages(): readonly string[] {
  return app.getPreferredSystemLanguages();
}
