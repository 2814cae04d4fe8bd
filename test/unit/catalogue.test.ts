import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';
import { failureCodes, failureDetails } from '../../contract/failure.ts';
import { languageTags } from '../../contract/languages.ts';
import { receiptNature } from '../../electron/core/documents/receipts/receipt-format.ts';
import { languageFor } from '../../locales/choose-language.ts';
import { texts as englishReceipts } from '../../locales/en/receipts.ts';
import { loadTexts } from '../../locales/load-texts.ts';
import type { Translation } from '../../locales/translation.ts';
import { createTexts } from '../../renderer/app/i18n.ts';

interface Texts {
  readonly [key: string]: string | Texts;
}

const root = resolve(import.meta.dirname, '..', '..');

function filesOf(language: string): string[] {
  return globSync('**/*.ts', { cwd: join(root, 'locales', language) }).sort();
}

/** The command line speaks English only. */
const isEnglishOnly = (file: string) => /^command-line[./]/.test(file);

async function textsIn(language: string, file: string): Promise<Texts> {
  return (await import(join(root, 'locales', language, file))).texts;
}

function flat(texts: Texts, path = ''): readonly (readonly [string, string])[] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [[`${path}${key}`, value] as const] : flat(value, `${path}${key}.`),
  );
}

const plural = /_(zero|one|two|few|many|other)$/;

/** Each key without its plural form, with the texts of its forms. A key without a plural has the form ''. */
function formsOf(texts: Texts): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const all = flat(texts);
  const counted = new Set(all.flatMap(([key]) => (key.endsWith('_other') ? [key.replace(plural, '')] : [])));
  const forms = new Map<string, Map<string, string>>();
  for (const [key, text] of all) {
    const base = key.replace(plural, '');
    const [name, form] = counted.has(base) ? [base, key.slice(base.length + 1)] : [key, ''];
    forms.set(name, (forms.get(name) ?? new Map()).set(form, text));
  }
  return forms;
}

/** The placeholders of a text in any order. */
function placeholders(text: string): readonly string[] {
  const names = [...text.matchAll(/\{\{(\w+)(?:, [^}]+)?\}\}/g)].map((match) => match[1] ?? '');
  return [...new Set(names)].sort();
}

/** A plural form may say its number in words: `shown` is `count` as it is shown. */
const isNumber = (name: string) => name === 'count' || name === 'shown';

/** Files of texts that are loaded separately; shared texts are part of them. */
const namespaces = [...filesOf('en').filter((file) => !file.includes('/')), 'window/window.ts'];
const cases = await Promise.all(
  languageTags.flatMap((language) =>
    namespaces
      .filter((file) => language === 'en' || !isEnglishOnly(file))
      .map(async (file) => ({
        name: `${language}/${file}`,
        language,
        english: formsOf(await textsIn('en', file)),
        forms: formsOf(await textsIn(language, file)),
      })),
  ),
);

describe('the catalogue', () => {
  it('has a folder for every language, with the same files in each', () => {
    const folders = readdirSync(join(root, 'locales'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map(({ name }) => name).sort()).toEqual([...languageTags].sort());
    for (const language of languageTags) {
      const files = filesOf('en').filter((file) => language === 'en' || !isEnglishOnly(file));
      expect(filesOf(language)).toEqual(files);
    }
  });

  it.each(cases)('has all texts in $name, and no others', ({ forms, english }) => {
    expect([...forms.keys()].sort()).toEqual([...english.keys()].sort());
  });

  it.each(cases)('has every plural form of the language in $name', ({ forms, language }) => {
    const needed = [...new Intl.PluralRules(language).resolvedOptions().pluralCategories].sort();
    for (const [key, texts] of forms) if (!texts.has('')) expect([...texts.keys()].sort(), key).toEqual(needed);
  });

  it.each(cases)('has the same placeholders in $name as in English, and no empty text', ({ forms, english }) => {
    for (const [key, texts] of forms) {
      const inEnglish = english.get(key);
      const isPlural = !(texts.has('') && inEnglish?.has(''));
      const compared = (text: string) => placeholders(text).filter((name) => !(isPlural && isNumber(name)));
      const expected = compared([...(inEnglish?.values() ?? [])].join(' '));
      for (const text of texts.values()) {
        expect(compared(text), key).toEqual(expected);
        expect(text.trim(), key).not.toBe('');
      }
    }
  });

  it.each(cases)('promises in $name no price that is not in the interface', ({ forms }) => {
    const promise = /free to repeat|free of charge|is free\.|costs? nothing|kostenlos|kostet nichts|gratis/i;
    for (const [key, texts] of forms) for (const text of texts.values()) expect(text, key).not.toMatch(promise);
  });

  it('says in the window what a thing is, in no word of the program’s own', async () => {
    const own = /\bmend(ed)?\b|^at the same time$|data to send|^calls$|XML…|\{\d|\{(name|file|folder|n)\}/i;
    for (const { name, forms } of cases.filter((one) => one.name === 'en/window/window.ts'))
      for (const [key, texts] of forms)
        for (const text of texts.values())
          if (!key.startsWith('verify.preview.'))
            expect(text.replaceAll(/\{\{\w+\}\}/g, ''), `${name} ${key}`).not.toMatch(own);
  });

  it.each(languageTags)('has a heading and an advice in %s for every failure', async (language) => {
    const { failures } = await textsIn(language, 'window/window.ts');
    const { code, detail } = failures as { readonly code: Texts; readonly detail: Texts };
    expect(Object.keys(code).sort()).toEqual([...failureCodes].sort());
    expect(Object.keys(detail).sort()).toEqual([...failureDetails].sort());
  });

  it('has the same statement in a printed receipt as in its data', () => {
    expect(englishReceipts.nature).toBe(receiptNature);
  });
});

/** Strings in a source, and template strings as patterns with a wildcard for each expression. */
function literalsIn(file: string): readonly (string | RegExp)[] {
  const found: (string | RegExp)[] = [];
  const visit = (node: unknown): void => {
    if (node === null || typeof node !== 'object') return;
    const { type, value, quasis } = node as { type?: string; value?: unknown; quasis?: readonly Quasi[] };
    if (type === 'Literal' && typeof value === 'string') found.push(value);
    if (type === 'TemplateLiteral' && quasis) found.push(patternOf(quasis));
    Object.values(node).forEach(visit);
  };
  visit(parseSync(file, readFileSync(join(root, file), 'utf8')).program.body);
  return found;
}

interface Quasi {
  readonly value: { readonly cooked: string };
}

function patternOf(quasis: readonly Quasi[]): string | RegExp {
  const parts = quasis.map(({ value }) => value.cooked.replaceAll(/[^\w]/g, '\\$&'));
  // A pattern without any letters would match every key.
  return parts.some((part) => /\w/.test(part)) ? new RegExp(`^${parts.join('.+')}$`) : '';
}

/** Folders that use a namespace in files that do not name it. */
const wholeFolders: Readonly<Record<string, string>> = {
  'reports.ts': 'electron/core/verify/reports/',
  'desktop.ts': 'electron/shell/',
  'command-line.ts': 'hosts/cli/',
};

/** The sources that may use a namespace: for the window its own; for others, those that name it, and whole folders. */
function sourcesOf(namespace: string): string[] {
  if (namespace === 'window/window.ts') return globSync('renderer/**/*.{ts,tsx}', { cwd: root });
  const name = `'${namespace.replace('.ts', '')}'`;
  const sources = globSync(['{electron,hosts,scripts}/**/*.ts', 'locales/own-verdict.ts'], { cwd: root });
  return sources.filter(
    (file) => file.startsWith(wholeFolders[namespace] ?? '-') || readFileSync(join(root, file), 'utf8').includes(name),
  );
}

it.each(namespaces)('%s has no unused text', async (namespace) => {
  const literals = sourcesOf(namespace).flatMap(literalsIn);
  const exact = new Set(literals.filter((literal) => typeof literal === 'string'));
  const patterns = literals.filter((literal) => typeof literal !== 'string');
  const keys = [...formsOf(await textsIn('en', namespace)).keys()];
  const isUsed = (key: string) => exact.has(key) || patterns.some((pattern) => pattern.test(key));
  expect(keys.filter((key) => !isUsed(key))).toEqual([]);
});

it('demands every plural form of a language from its texts', () => {
  const english = { files_one: '{{count}} file', files_other: '{{count}} files', below: { name: 'Name' } };
  const below = { name: '…' };
  const two = { files_one: '…', files_other: '…', below };
  const six = { ...two, files_zero: '…', files_two: '…', files_few: '…', files_many: '…' };
  const arabic: Translation<typeof english, 'ar'> = six;
  const french: Translation<typeof english, 'fr'> = { ...two, files_many: '…' };
  // @ts-expect-error Arabic has six forms.
  const short: Translation<typeof english, 'ar'> = two;
  // @ts-expect-error German has two.
  const long: Translation<typeof english> = { ...two, files_few: '…' };
  const forms = (texts: object) => Object.keys(texts).filter((key) => key.startsWith('files_')).length;
  expect([arabic, french, short, long].map(forms)).toEqual([6, 3, 2, 3]);
  const needed = (language: string) => new Intl.PluralRules(language).resolvedOptions().pluralCategories.length;
  expect([needed('ar'), needed('fr'), needed('es'), needed('de')]).toEqual([6, 3, 3, 2]);
});

describe('the language of a setting', () => {
  it.each([
    ['system', ['de-AT', 'en'], 'de'],
    ['system', ['nl-NL', 'en-GB', 'de'], 'en'],
    ['system', ['fr-CA', 'en'], 'fr'],
    ['system', ['tlh'], 'en'],
    ['system', [], 'en'],
    ['de', ['en-US'], 'de'],
    ['DE-ch', ['en-US'], 'de'],
    ['en', ['de-DE'], 'en'],
  ])('%s with %j gives the right language', (preference, tags, language) => {
    expect(languageFor(preference, tags)).toBe(language);
  });
});

describe('texts', () => {
  it('of the window group the digits of every number by language, but not of names made of digits', async () => {
    const shown = async (language: string, tags: readonly string[]) => {
      const { t } = await createTexts(language, tags);
      return [t('start.verifyCount', { count: 5000 }), t('failures.codeUnknown', { code: '-1210' })];
    };
    expect(await shown('en', ['en-GB'])).toEqual(['Verify 5,000 files', 'Code -1210 is unknown.']);
    expect((await shown('de', ['de-CH', 'en']))[0]).toMatch(/^5[’']000 /);
    expect((await shown('de', ['en']))[0]).toContain('5.000');
  });

  it('of the window change to a language that was loaded later', async () => {
    const texts = await createTexts('en', ['en']);
    expect(texts.hasResourceBundle('de', 'translation')).toBe(false);
    await texts.changeLanguage('de');
    expect(texts.t('common.cancel')).toBe('Abbrechen');
  });

  it('elsewhere have plural forms, ungrouped numbers, and unchanged texts of the service', async () => {
    const t = await loadTexts('de', 'receipts');
    expect([t('bytes', { count: 1 }), t('bytes', { count: 12_345 })]).toEqual(['1 Byte', '12345 Bytes']);
    const raw = '<b>&amp; {{count}} $t(title) {{- x}}</b>';
    expect(t('quoted', { raw })).toBe(`„${raw}“`);
  });
});
