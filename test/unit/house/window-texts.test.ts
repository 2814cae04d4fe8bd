import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { expect, it } from 'vitest';
import { root } from './floors.ts';

/** What a person reads or hears of an element. */
const spoken = new Set([
  'aria-label',
  'aria-description',
  'aria-roledescription',
  'title',
  'placeholder',
  'alt',
  'label',
]);

/** The same in every language: an address, and what stands on a key. */
const foreign = /^(https:\/\/service\.example\/|Esc$)/;

interface Node {
  readonly type?: string;
  readonly value?: unknown;
  readonly name?: { readonly name?: unknown };
}

/** Words that stand in the elements of a source, between tags or as what is said of one, instead of in the catalogue. */
function wordsIn(file: string, text: string): readonly string[] {
  const found: string[] = [];
  const take = (value: unknown) => {
    if (typeof value === 'string' && /\p{L}{2,}/u.test(value) && !foreign.test(value)) found.push(value.trim());
  };
  const literal = (node: unknown) => ((node as Node | null)?.type === 'Literal' ? (node as Node).value : null);
  const visit = (node: unknown): void => {
    if (node === null || typeof node !== 'object') return;
    const { type, value, name } = node as Node;
    if (type === 'JSXText') take(value);
    if (type === 'JSXExpressionContainer') take(literal((node as { readonly expression?: unknown }).expression));
    if (type === 'JSXAttribute') {
      if (spoken.has(String(name?.name))) {
        take(literal(value));
        take(literal((value as { readonly expression?: unknown } | null)?.expression));
      }
      // What else an attribute says is for no person.
      if (literal(value) !== null || literal((value as { readonly expression?: unknown } | null)?.expression) !== null)
        return;
    }
    Object.values(node).forEach(visit);
  };
  visit(parseSync(file, text).program.body);
  return found;
}

it('no element of the window has words of its own: they are in the catalogue', () => {
  const files = globSync('renderer/**/*.tsx', { cwd: root });
  const found = files.flatMap((file) =>
    wordsIn(file, readFileSync(join(root, file), 'utf8')).map((text) => `${file}: ${text}`),
  );
  expect(found).toEqual([]);
});

it.each([
  ['between tags', '<p>Not in the catalogue</p>', 1],
  ['in braces', "<p>{'Not there'}</p>", 1],
  ['as a label', '<button aria-label="Close" />', 1],
  ['as a title in braces', "<button title={'Close'} />", 1],
  ['not for a person', "<p className=\"narrow\" role={'note'}>{t('jobs.sent')} · </p>", 0],
])('words %s are found', (_where, element, count) => {
  expect(wordsIn('one.tsx', `export const one = ${element};`)).toHaveLength(count);
});
