import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

/*
 * Contrast of every pair of colours (WCAG 2.2, 1.4.3 and 1.4.11), from the tokens themselves. Any text may stand on any ground, because rows and cards change
 * their ground under the texts in them. Forced colours replace all tokens with the system's own pairs and need no test here.
 */

const renderer = resolve(import.meta.dirname, '../../renderer');
const css = readFileSync(join(renderer, 'styles/tokens.css'), 'utf8');

const themes = ['light', 'dark', 'high contrast, light', 'high contrast, dark'] as const;
type Colours = ReadonlyMap<string, string>;

/** The colour tokens of a style sheet, one map for each theme. High contrast takes the place of the tokens that it names. */
function coloursIn(text: string): readonly [Colours, Colours, Colours, Colours] {
  const [usual = '', more = ''] = text.split(':root[data-contrast="more"]');
  const found = (part: string) => [...part.matchAll(/--([\w-]+):\s*light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)];
  const theme = (part: string, at: 2 | 3) => found(part).map((match) => [match[1] ?? '', match[at] ?? ''] as const);
  const both = (at: 2 | 3) => new Map([...theme(usual, at), ...theme(more, at)]);
  return [new Map(theme(usual, 2)), new Map(theme(usual, 3)), both(2), both(3)];
}

const isGround = (name: string) => ['paper', 'sheet', 'well'].includes(name) || name.endsWith('-ground');
/** Borders of fields, and the outline of the focus: 3:1 on every ground. */
const marks = ['edge', 'focus'];
/** Lines between things that are also apart without them. */
const decoration = ['hairline'];
/** Text and pictures on a strong colour. */
const onFills: readonly (readonly [text: string, fill: string])[] = [
  ['on-accent', 'accent'],
  ['on-accent', 'accent-strong'],
  ['sheet', 'refused'],
  ['paper', 'ink'],
];
/** Parts of pictures on something else than a ground. */
const markPairs: readonly (readonly [mark: string, under: string])[] = [['accent', 'hairline']];

/** Names of all tokens that are text: what is nothing else. */
function textsOf(colours: Colours): string[] {
  const other = new Set([...marks, ...decoration, 'on-accent']);
  return [...colours.keys()].filter((name) => !isGround(name) && !other.has(name));
}

/** Every pair that is too weak, as `name on name: contrast in theme`. */
function tooWeak(text: string): string[] {
  return coloursIn(text).flatMap((colours, theme) => {
    const grounds = [...colours.keys()].filter(isGround);
    const on = (names: readonly string[]) => names.flatMap((name) => grounds.map((ground) => [name, ground] as const));
    const weak = (pairs: readonly (readonly [string, string])[], least: number) =>
      pairs
        .map(([name, ground]) => ({ name, ground, ratio: contrast(colours.get(name), colours.get(ground)) }))
        .filter(({ ratio }) => ratio < least)
        .map(({ name, ground, ratio }) => `${name} on ${ground}: ${ratio.toFixed(2)} in ${themes[theme]}`);
    const [leastOfTexts, leastOfMarks] = theme < 2 ? [4.5, 3] : [7, 3];
    return [
      ...weak([...on(textsOf(colours)), ...onFills], leastOfTexts),
      ...weak([...on(marks), ...markPairs], leastOfMarks),
    ];
  });
}

function contrast(one: string | undefined, other: string | undefined): number {
  if (!one || !other) throw new Error('a pair names a token that is not there');
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(hex: string): number {
  const part = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
}

describe('the colours of the window', () => {
  it('can be read: 4.5 for texts (7 in high contrast), 3 for edges and pictures, in every theme', () => {
    expect(tooWeak(css)).toEqual([]);
  });

  it('are refused if one of them is too weak', () => {
    const before = css
      .replace(/--edge: [^;]+;/, '--edge: light-dark(#868c97, #6b717e);')
      .replace(/--ink-3: [^;]+;/, '--ink-3: light-dark(#646b79, #8c919d);');
    expect(tooWeak(before)).toEqual(
      expect.arrayContaining(['edge on well: 2.99 in light', 'ink-3 on accent-ground: 4.39 in dark']),
    );
    const added = css.replace('--ink-2:', '--faint: light-dark(#a0a0a0, #606060);\n  --ink-2:');
    expect(tooWeak(added)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^faint on paper: \d.\d\d in light$/)]),
    );
  });

  it('are all written in a way that is measured', () => {
    const declared = [...css.matchAll(/--([\w-]+):[^;]*(?:#|rgb|light-dark)[^;]*;/g)].map((match) => match[1] ?? '');
    const names = [...coloursIn(css)[0].keys()];
    expect(declared.filter((name) => name !== 'scrim')).toEqual([...names, ...names]);
  });

  it('come from the tokens in every style sheet, each in a place that is measured', () => {
    const [colours] = coloursIn(css);
    const under = new Set([...colours.keys()].filter(isGround));
    for (const [, fill] of [...onFills, ...markPairs]) under.add(fill);
    for (const shape of ['accent', 'confirmed', 'scrim']) under.add(shape);
    const over = new Set([...textsOf(colours), ...marks, ...onFills.map(([text]) => text)]);
    const strange = globSync('{app,parts,features,screens,styles,bridge}/**/*.css', { cwd: renderer })
      .filter((file) => !file.endsWith('tokens.css'))
      .flatMap((file) => {
        const text = readFileSync(join(renderer, file), 'utf8');
        const named = (property: string) =>
          [...text.matchAll(new RegExp(`(?<![\\w-])(?:${property}):[^;]*?var\\(--([\\w-]+)\\)`, 'g'))].map(
            (match) => match[1] ?? '',
          );
        return [
          ...named('background|background-color').filter((name) => !under.has(name)),
          ...named('color|fill|stroke').filter((name) => !over.has(name)),
          ...(text.match(/#[0-9a-f]{3,8}\b|\brgba?\(/gi) ?? []),
        ].map((name) => `${file}: ${name}`);
      });
    expect(strange).toEqual([]);
  });
});
