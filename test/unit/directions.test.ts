import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { directionOf, type Language } from '../../contract/languages.ts';
import { isolated } from '../../locales/isolate.ts';
import { loadTexts, type TextsOf } from '../../locales/load-texts.ts';

const renderer = resolve(import.meta.dirname, '../../renderer');
const read = (file: string) => readFileSync(join(renderer, file), 'utf8');

/** Rules of a style sheet that mean one side of the screen instead of the start or the end of a line. */
function physicalRules(css: string): string[] {
  const physical =
    /(?<![\w-])(?:(?:margin|padding|border|scroll-margin|scroll-padding)-(?:left|right)[\w-]*|border-(?:top|bottom)-(?:left|right)-radius|left|right|float|clear|direction)\s*:[^;}]*|(?<![\w-])(?:text-align(?:-last)?|justify-\w+|align-\w+|transform-origin|background-position|object-position|caption-side|resize)\s*:[^;}]*\b(?:left|right)\b[^;}]*|(?:translateX|translate3d|skewX)\([^)]*\)|(?<![\w-])translate\s*:(?!\s*0\b)[^;}]*|\btranslate\((?!\s*0\b)[^)]*\)|\bto (?:left|right)\b/g;
  return [...css.replace(/\/\*[\s\S]*?\*\//g, '').matchAll(physical)].map(([rule]) => rule.replace(/\s+/g, ' '));
}

/** Rules that mean a side whatever the language, with the reason. */
const allowed: Readonly<Record<string, string>> = {
  'styles/base.css: direction: ltr': 'IDs, paths and markup run from left to right in every language',
};

it('places nothing on the left or on the right, but at the start or at the end of a line', () => {
  const files = globSync('**/*.css', { cwd: renderer });
  expect(files.length).toBeGreaterThan(20);
  const found = files.flatMap((file) => physicalRules(read(file)).map((rule) => `${file}: ${rule}`));
  expect(found.sort()).toEqual(Object.keys(allowed).sort());
});

it('places nothing on a side by the styles of an element either', () => {
  const inStyles =
    /\b(?:margin|padding|border|scrollMargin|scrollPadding)(?:Left|Right)\w*\b|\bborder(?:Top|Bottom)(?:Left|Right)Radius\b|\btextAlign: '(?:left|right)'|\bstyle\.(?:left|right)\b|\bstyle=\{\{[^}]*\b(?:left|right):|translateX\(|scrollLeft\b/g;
  const found = globSync('**/*.{ts,tsx}', { cwd: renderer }).flatMap((file) =>
    [...read(file).matchAll(inStyles)].map(([rule]) => `${file}: ${rule}`),
  );
  expect(found).toEqual([]);
});

it('finds what is placed on a side', () => {
  const css = `.a { margin-left: 1px; text-align: right; left: 0 }
.b { border-top-left-radius: 1px; transform: translateX(2px); translate: -50% 0; }
.c { margin-inline-start: 1px; text-align: start; inset-inline-end: 0; transform: translateY(1px); translate: 0 2px; /* left: 0 */ }
.d { background: linear-gradient(to right, red, blue); float: left; direction: rtl }`;
  expect(physicalRules(css)).toEqual([
    'margin-left: 1px',
    'text-align: right',
    'left: 0 ',
    'border-top-left-radius: 1px',
    'translateX(2px)',
    'translate: -50% 0',
    'to right',
    'float: left',
    'direction: rtl ',
  ]);
});

it('mirrors every picture that points along the line', () => {
  const pointing =
    /^(?:Arrow|Chevron|Chevrons|Panel|Corner|Undo|Redo|Reply|Forward|Send|Log|List|Text|Align|Indent|Outdent|ExternalLink|SquareArrow|Move|Skip|StepBack|StepForward|Rewind|FastForward|Import|Export|Quote|WrapText|Footprints)/;
  /** Pictures with such a name that are the same in both directions, or whose sides mean nothing. */
  const same = /^(?:Arrow(?:Up|Down|LeftRight|UpDown)|Chevrons?(?:Up|Down|UpDown)|ListFilter)$/;
  const names = globSync('**/*.tsx', { cwd: renderer }).flatMap((file) =>
    [...read(file).matchAll(/import \{([^}]+)\} from 'lucide-react'/g)].flatMap(([, all = '']) =>
      all.split(',').map((name) => name.trim().split(' as ')[0] ?? ''),
    ),
  );
  expect(names.length).toBeGreaterThan(50);
  const needed = new Set(names.filter((name) => pointing.test(name) && !same.test(name)));
  const rule = /:root\[dir="rtl"\] :is\(([^)]+)\) \{\s*scale: -1 1;/.exec(read('styles/base.css'))?.[1] ?? '';
  const mirrored = rule.split(',').map((name) => name.trim().replace('.lucide-', ''));
  const kebab = (name: string) => name.replace(/(?<!^)[A-Z]/g, '-$&').toLowerCase();
  expect(mirrored.sort()).toEqual([...needed].map(kebab).sort());
});

it('isolates the values of sentences from right to left, and nothing else', () => {
  expect([directionOf('ar-EG'), directionOf('AR'), directionOf('de-AT'), directionOf('arn')]).toEqual([
    'rtl',
    'rtl',
    'ltr',
    'ltr',
  ]);
  expect(isolated('report.pdf', 'ar')).toBe('\u2068report.pdf\u2069');
  expect(isolated('report.pdf', 'de')).toBe('report.pdf');
  expect(isolated('', 'ar')).toBe('');
  expect(isolated('2026-11-22 19:33', 'ar')).toBe('\u20662026-11-22 19:33\u2069');
});

it.each([
  ['desktop', (t: TextsOf<'desktop'>) => t('inClear.title', { origin: 'http://a.example' })],
  ['notices', (t: TextsOf<'notices'>) => t('signed', { who: 'http://a.example' })],
  ['receipts', (t: TextsOf<'receipts'>) => t('quoted', { raw: 'http://a.example' })],
  ['reports', (t: TextsOf<'reports'>) => t('quoted', { raw: 'http://a.example' })],
] as const)('isolates the values in the texts of %s, which are not in the window', async (namespace, say) => {
  const texts = async (language: Language) => say((await loadTexts(language, namespace)) as never);
  expect(await texts('ar')).toContain('\u2068http://a.example\u2069');
  expect(await texts('de')).not.toMatch(/[\u2066-\u2069]/);
});
