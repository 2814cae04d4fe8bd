import type { TFunction } from 'i18next';
import type { Language } from '../contract/languages.ts';
import type { texts as desktop } from './en/desktop.ts';
import type { texts as notices } from './en/notices.ts';
import type { texts as receipts } from './en/receipts.ts';
import type { texts as reports } from './en/reports.ts';
import type { texts as tables } from './en/tables.ts';
import type { texts as window } from './en/window/window.ts';

/** All texts of a language, by their user; each file is loaded separately. */
interface Namespaces {
  /** The texts of the window, which loads them itself; `translation` is i18next's default namespace. */
  readonly translation: typeof window;
  readonly desktop: typeof desktop;
  readonly notices: typeof notices;
  readonly receipts: typeof receipts;
  readonly reports: typeof reports;
  readonly tables: typeof tables;
}

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: Namespaces;
  }
}

export type Namespace = Exclude<keyof Namespaces, 'translation'>;

/**
 * Loads texts for use outside of the window. Only the wanted file is loaded, and i18next with it, so that a program without texts has no cost.
 * Numbers are not formatted: 5000.
 */
export async function loadTexts<N extends Namespace>(language: Language, namespace: N): Promise<TFunction<N>> {
  const [{ createInstance }, { texts }] = await Promise.all([
    import('i18next'),
    import(`./${language}/${namespace}.ts`),
  ]);
  const instance = createInstance();
  await instance.init({
    lng: language,
    fallbackLng: false,
    ns: namespace,
    resources: { [language]: { [namespace]: texts } },
    // The texts are not used as HTML.
    interpolation: { escapeValue: false },
    initAsync: false,
  });
  return instance.getFixedT(language, namespace) as TFunction<N>;
}
