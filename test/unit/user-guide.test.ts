import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { type Token, type Tokens, walkTokens } from 'marked';
import { describe, expect, it } from 'vitest';
import { languageTags } from '../../contract/languages.ts';
import { texts as english } from '../../locales/en/window/window.ts';
import { sectionIds, sectionOfScreen } from '../../renderer/features/help.ts';
import {
  cutAtHits,
  type GuideSection,
  parseGuide,
  searchGuide,
  wordsOf,
} from '../../renderer/screens/help/load-guide.ts';

const root = resolve(import.meta.dirname, '..', '..');
const docs = join(root, 'docs');

const fileOf = (language: string) => join(docs, language === 'en' ? 'user-guide.md' : `user-guide.${language}.md`);
const hasGuide = (language: string) => existsSync(fileOf(language));
const read = (language: string) => readFileSync(fileOf(language), 'utf8');
const guides = languageTags.filter(hasGuide);

function tokensIn(sections: readonly GuideSection[]): readonly Token[] {
  const all: Token[] = [];
  for (const { parts } of sections)
    for (const { tokens } of parts) walkTokens([...tokens], (token) => void all.push(token));
  return all;
}

const isImage = (token: Token): token is Tokens.Image => token.type === 'image';

/** Every text of a catalogue, with anything in place of its values. */
async function namesIn(language: string): Promise<readonly RegExp[]> {
  const files = ['window/window.ts', 'desktop.ts'];
  const catalogues = await Promise.all(files.map((file) => import(join(root, 'locales', language, file))));
  return catalogues
    .flatMap(({ texts }) => flat(texts))
    .map((text) => new RegExp(`^${text.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{\{\w+\}\}/g, '.+')}$`));
}

function flat(texts: object): string[] {
  return Object.values(texts).flatMap((value) => (typeof value === 'string' ? [value] : flat(value)));
}

describe.each(guides)('the guide in %s', (language) => {
  const sections = parseGuide(read(language));

  it('has every section once and in order, with a text', () => {
    expect(sections.map(({ id }) => id)).toEqual(sectionIds);
    for (const { id, parts } of sections) expect(parts[0].tokens.length, id).toBeGreaterThan(0);
  });

  it('leads with its links and its table of contents to headings that are there', () => {
    const anchors = new Set(sections.flatMap(({ parts }) => parts.map(({ anchor }) => anchor)));
    const links = [...read(language).matchAll(/(?<!!)\[[^\]]+\]\(([^)]+)\)/g)].map(([, to = '']) => to);
    expect(links.length).toBeGreaterThan(sectionIds.length);
    expect(links.filter((to) => !to.startsWith('#') || !anchors.has(to.slice(1)))).toEqual([]);
    const contents = links.slice(0, sectionIds.length);
    expect(contents).toEqual(sections.map(({ parts }) => `#${parts[0].anchor}`));
  });

  it('shows pictures that are there, each with a description', () => {
    const images = tokensIn(sections).filter(isImage);
    expect(images.length).toBeGreaterThan(5);
    for (const { href, text } of images) {
      expect(href).toMatch(new RegExp(`^screenshots/guide/${language}/`));
      expect(existsSync(join(docs, href)), href).toBe(true);
      expect(text).not.toBe('');
    }
  });

  it('names what is on the screen by its texts in this language', async () => {
    const names = await namesIn(language);
    const quoted = tokensIn(sections).filter((token): token is Tokens.Strong => token.type === 'strong');
    expect(quoted.length).toBeGreaterThan(40);
    expect(quoted.map(({ text }) => text).filter((text) => !names.some((name) => name.test(text)))).toEqual([]);
  });

  it('has the same pictures and as many headings as the English one', () => {
    const shape = (guide: readonly GuideSection[]) =>
      guide.map(({ id, parts }) => [
        id,
        parts.length,
        tokensIn([{ id, parts }]).flatMap((one) => (isImage(one) ? [basename(one.href)] : [])),
      ]);
    expect(shape(sections)).toEqual(shape(parseGuide(read('en'))));
  });

  it('holds no HTML but the marks of its sections: the program would not show it', () => {
    expect(tokensIn(sections).filter((token) => token.type === 'html')).toEqual([]);
  });
});

describe('guides', () => {
  it('exist in no language that the program does not have', () => {
    const files = readdirSync(docs).filter((file) => /^user-guide.*\.md$/.test(file));
    expect(files.sort()).toEqual(guides.map((language) => fileOf(language).slice(docs.length + 1)).sort());
  });

  for (const language of languageTags) {
    const why = hasGuide(language) ? '' : ` (skipped: docs/user-guide.${language}.md is missing, English is shown)`;
    it.skipIf(why !== '')(`are there in ${language}${why}`, () => expect(guides).toContain(language));
  }

  it('have a section for every screen', () => {
    expect(Object.keys(sectionOfScreen).sort()).toEqual(Object.keys(english.screens).sort());
    expect(sectionIds).toEqual(expect.arrayContaining(Object.values(sectionOfScreen)));
  });
});

describe('a search', () => {
  const guide = parseGuide(read('de'));

  it('finds parts with all words, without case and accents, headings first', () => {
    const hits = searchGuide(guide, wordsOf('PRUFEN dateien'));
    expect(hits[0]).toMatchObject({ section: 'verify', anchor: 'dateien-prüfen', title: 'Dateien prüfen' });
    expect(hits.length).toBeGreaterThan(1);
    const inner = searchGuide(guide, wordsOf('sendebeleg json'))[0];
    expect(inner).toMatchObject({ section: 'fetch', title: 'Dokumente finden und herunterladen › Sendebeleg' });
    expect(searchGuide(guide, wordsOf('freigegeben'))[0]?.line).toMatch(/^… .{1,40}freigegeben/);
    expect(searchGuide(guide, wordsOf('sendebeleg einhorn'))).toEqual([]);
    expect(searchGuide(guide, wordsOf('  '))).toEqual([]);
  });

  it('marks what was found where it stands, the longer word first', () => {
    const marked = (text: string, query: string) =>
      cutAtHits(text, wordsOf(query))
        .map(({ text, isHit }) => (isHit ? `[${text}]` : text))
        .join('');
    expect(marked('Prüfen: ungeprüft, PRÜFUNG', 'pruf')).toBe('[Prüf]en: unge[prüf]t, [PRÜF]UNG');
    expect(marked('Access code', 'code acc access')).toBe('[Access] [code]');
    expect(marked('Nothing', 'xyz')).toBe('Nothing');
    expect(marked('', 'a')).toBe('');
  });
});
