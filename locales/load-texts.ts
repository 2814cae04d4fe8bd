import type { FormatterModule, TFunction } from 'i18next';
import type { Language } from '../contract/languages.ts';
import type { texts as commandLine } from './en/command-line.ts';
import type { texts as desktop } from './en/desktop.ts';
import type { texts as notices } from './en/notices.ts';
import type { texts as policies } from './en/policies.ts';
import type { texts as receipts } from './en/receipts.ts';
import type { texts as reports } from './en/reports.ts';
import type { texts as tables } from './en/tables.ts';
import type { texts as window } from './en/window/window.ts';
import { isolated } from './isolate.ts';

/** All texts of a language, by their user; each file is loaded separately. */
interface Namespaces {
  /** The texts of the window, which loads them itself; `translation` is i18next's default namespace. */
  readonly translation: typeof window;
  readonly 'command-line': typeof commandLine;
  readonly desktop: typeof desktop;
  readonly notices: typeof notices;
  readonly policies: typeof policies;
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

/** Texts that people see in the direction of their language. A terminal shows texts as they come, and spreadsheets hold data. */
const isolating: ReadonlySet<Namespace> = new Set(['desktop', 'notices', 'receipts', 'reports']);

const isolation: FormatterModule = {
  type: 'formatter',
  init: () => undefined,
  add: () => undefined,
  addCached: () => undefined,
  format: (value: unknown, _format, language = 'en') =>
    typeof value === 'string' ? isolated(value, language) : String(value),
};

/** The function that answers the texts of a namespace. */
export type TextsOf<N extends Namespace> = TFunction<N>;

/** The command line speaks English only. */
type LanguageOf<N extends Namespace> = N extends 'command-line' ? 'en' : Language;

/**
 * Loads texts for use outside of the window. Only the wanted file is loaded, and i18next with it, so that a program without texts has no cost.
 * Numbers are not formatted: 5000.
 */
export async function loadTexts<N extends Namespace>(language: LanguageOf<N>, namespace: N): Promise<TextsOf<N>> {
  const [{ createInstance }, { texts }] = await Promise.all([
    import('i18next'),
    import(`./${language}/${namespace}.ts`),
  ]);
  const instance = createInstance();
  const isIsolating = isolating.has(namespace);
  if (isIsolating) instance.use(isolation);
  await instance.init({
    lng: language,
    fallbackLng: false,
    ns: namespace,
    resources: { [language]: { [namespace]: texts } },
    // The texts are not used as HTML.
    interpolation: { escapeValue: false, alwaysFormat: isIsolating },
    initAsync: false,
  });
  return instance.getFixedT(language, namespace) as TextsOf<N>;
}
