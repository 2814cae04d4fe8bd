import { describe, expect, it } from 'vitest';
import { failureCodes, failureDetails } from '../../contract/failure.ts';
import { de } from '../../renderer/locales/de.ts';
import { en } from '../../renderer/locales/en.ts';
import { createTexts } from '../../renderer/locales/i18n.ts';

interface Texts {
  readonly [key: string]: string | Texts;
}

function flat(texts: Texts, path = ''): readonly (readonly [string, string])[] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [[`${path}${key}`, value] as const] : flat(value, `${path}${key}.`),
  );
}

/** What is filled in, whatever the order of the words; a plural form may leave its number out. */
function placeholders(text: string): readonly string[] {
  const names = [...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1] ?? '');
  return [...new Set(names)].filter((name) => name !== 'count').sort();
}

describe('the catalogues of the window', () => {
  const english = flat(en);
  const german = new Map(flat(de));

  it('have the same keys and fill in the same things', () => {
    expect(german.size).toBe(english.length);
    for (const [key, text] of english) {
      expect(german.has(key), key).toBe(true);
      expect(placeholders(german.get(key) ?? ''), key).toEqual(placeholders(text));
    }
  });

  it('have no empty text, and both plural forms of every counted one', () => {
    for (const [key, text] of [...english, ...german]) {
      expect(text.trim(), key).not.toBe('');
      if (key.endsWith('_one')) expect(german.has(key.replace(/_one$/, '_other')), key).toBe(true);
    }
  });

  it('promise no price that the interface does not name', () => {
    const promise = /free to repeat|free of charge|is free\.|costs? nothing|kostenlos|kostet nichts|gratis/i;
    for (const [key, text] of [...english, ...german]) expect(text, key).not.toMatch(promise);
  });

  it('say what happened and what to do for every failure', () => {
    for (const texts of [en.failures, de.failures]) {
      expect(Object.keys(texts.code).sort()).toEqual([...failureCodes].sort());
      expect(Object.keys(texts.detail).sort()).toEqual([...failureDetails].sort());
    }
  });

  it('group the digits of every number as the language does, and no name that is made of digits', () => {
    const shown = (language: string, tags: readonly string[]) => {
      const { t } = createTexts(language, tags);
      return [t('start.verifyCount', { count: 5000 }), t('failures.codeUnknown', { code: '-1210' })];
    };
    expect(shown('en', ['en-GB'])).toEqual(['Verify 5,000 files', 'Code -1210 is not in the table.']);
    expect(shown('de', ['de-CH', 'en'])[0]).toMatch(/^5[’']000 /);
    expect(shown('de', ['en'])[0]).toContain('5.000');
  });
});
