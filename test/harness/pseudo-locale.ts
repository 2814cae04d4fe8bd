import { resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { build, type Plugin } from 'vite';
import type { BrowserPreview } from './browser-preview.ts';

const root = resolve(import.meta.dirname, '../..');

/** Languages that nobody can choose: Esperanto stands for any language from left to right, Hebrew for any from right to left. */
export const pseudoLanguages = { leftToRight: 'eo', rightToLeft: 'he' } as const;

const accents: Readonly<Record<string, string>> = Object.fromEntries(
  [...'aàbƀcçdđeéfƒgğhĥiîjĵkķlļmḿnñoöpƥqɋrřsštţuûvṽwŵxẋyýzž'].reduce<string[][]>((pairs, letter, at, all) => {
    if (at % 2 === 0) pairs.push([letter, all[at + 1] ?? letter]);
    return pairs;
  }, []),
);

/** A text as it might be in another language: accents, two fifths longer, in brackets. Placeholders stay as they are. */
export function pseudo(text: string): string {
  const words = text.replace(/\{\{[^}]*\}\}|\{[^}]*\}|<[^>]*>|[a-z]/g, (part) => accents[part] ?? part);
  return `⟦${words}${'~'.repeat(Math.ceil(text.replace(/\{\{[^}]*\}\}/g, '').length * 0.4))}⟧`;
}

type Texts = { readonly [key: string]: string | Texts };

/** The English texts in a pseudo-locale, with all plural forms of its language. */
export function pseudoTexts(texts: Texts, language: string): Texts {
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  return Object.fromEntries(
    Object.entries(texts).flatMap(([key, value]): (readonly [string, string | Texts])[] => {
      if (typeof value !== 'string') return [[key, pseudoTexts(value, language)]];
      if (!key.endsWith('_other')) return [[key, pseudo(value)]];
      return forms.map((form) => [key.replace(/other$/, form), pseudo(value)]);
    }),
  );
}

/** Builds the window with the pseudo-locales into `outDir`. The languages that people can choose are untouched: no shipped file knows these. */
export async function buildPseudoWindow(outDir: string): Promise<void> {
  // The test runner's own is for development, and so would be the window.
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = 'production';
  await build({
    configFile: resolve(root, 'renderer/vite.config.ts'),
    logLevel: 'error',
    plugins: [await pseudoLocales()],
    build: { outDir, emptyOutDir: true },
  }).finally(() => {
    process.env.NODE_ENV = NODE_ENV;
  });
}

async function pseudoLocales(): Promise<Plugin> {
  const { texts } = await import('../../locales/en/window/window.ts');
  const tags = Object.values(pseudoLanguages);
  return {
    name: 'pseudo-locales',
    enforce: 'pre',
    resolveId: (id) => (id.startsWith('virtual:pseudo-') ? id : null),
    load: (id) => {
      const tag = tags.find((one) => id === `virtual:pseudo-${one}`);
      return tag ? `export const texts = ${JSON.stringify(pseudoTexts(texts as unknown as Texts, tag))};` : null;
    },
    transform: (code, id) => {
      if (id.endsWith('/contract/languages.ts'))
        return replaced(
          code,
          'export const languages = {',
          `export const languages = { ${tags.map((tag) => `${tag}: '${tag}'`).join(', ')},`,
        );
      if (!id.endsWith('/renderer/app/i18n.ts')) return null;
      const own = tags.map(
        (tag) =>
          `'../../locales/${tag}/window/window.ts': () => import('virtual:pseudo-${tag}').then(({ texts }) => texts),`,
      );
      const read = `textsOf[\`../../locales/\${language}/window/window.ts\`]`;
      return replaced(code, read, read.replace('textsOf', `({ ${own.join(' ')} ...textsOf })`));
    },
  };
}

function replaced(code: string, from: string, to: string): string {
  if (!code.includes(from)) throw new Error(`the source has no ${from} any more`);
  return code.replace(from, to);
}

/** A page of a running preview that shows the pseudo window, in one of its languages. */
export async function openPseudo(preview: BrowserPreview, locale: string): Promise<Page> {
  const running = preview.page.context().browser();
  if (!running) throw new Error('the browser is gone');
  const context = await running.newContext({ viewport: { width: 1280, height: 800 }, locale, reducedMotion: 'reduce' });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  await page.goto(preview.address);
  await page.locator('nav button, nav a').first().waitFor();
  return page;
}
