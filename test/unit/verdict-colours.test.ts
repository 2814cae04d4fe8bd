import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { verdictGroups } from '../../contract/answers.ts';
import { texts as de } from '../../locales/de/window/window.ts';
import { texts as en } from '../../locales/en/window/window.ts';
import { verdictTones } from '../../renderer/screens/verify/verdict-tones.ts';

type Rgb = readonly [number, number, number];
type Matrix = readonly [Rgb, Rgb, Rgb];

/** Full deuteranopia, protanopia and tritanopia on linear RGB (Machado, Oliveira and Fernandes, 2009). */
const sights: Readonly<Record<string, Matrix>> = {
  usual: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const css = readFileSync(new URL('../../renderer/styles/tokens.css', import.meta.url), 'utf8');

/** The linear RGB of a token in one theme. */
function token(name: string, theme: 0 | 1): Rgb {
  const found = new RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)`).exec(css);
  const hex = found?.[theme + 1];
  if (!hex) throw new Error(`no token ${name}`);
  const part = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [part(1), part(3), part(5)];
}

function seenBy(sight: Matrix, [r, g, b]: Rgb): Rgb {
  const row = ([x, y, z]: Rgb) => Math.min(1, Math.max(0, x * r + y * g + z * b));
  return [row(sight[0]), row(sight[1]), row(sight[2])];
}

const luminance = ([r, g, b]: Rgb) => 0.2126 * r + 0.7152 * g + 0.0722 * b;

function contrast(one: Rgb, other: Rgb): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** Distance in CIELAB; 2.3 is just noticeable. */
function distance(one: Rgb, other: Rgb): number {
  const [a, b] = [lab(one), lab(other)];
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

function lab([r, g, b]: Rgb): Rgb {
  const bend = (t: number) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
  const x = bend((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047);
  const y = bend(0.2126 * r + 0.7152 * g + 0.0722 * b);
  const z = bend((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const themes = [
  ['light', 0],
  ['dark', 1],
] as const;

describe('the colours of verdicts', () => {
  for (const [sight, matrix] of Object.entries(sights)) {
    it.each(themes)(`can be read with ${sight} in %s`, (_name, theme) => {
      for (const { tone } of Object.values(verdictTones)) {
        const text = seenBy(matrix, token(tone, theme));
        for (const ground of [`${tone}-ground`, 'sheet', 'paper']) {
          expect(contrast(text, seenBy(matrix, token(ground, theme))), `${tone} on ${ground}`).toBeGreaterThan(4.4);
        }
      }
    });

    it.each(themes)(`keep confirmed and not confirmed apart with ${sight} in %s`, (_name, theme) => {
      const apart = (one: string, other: string) =>
        distance(seenBy(matrix, token(one, theme)), seenBy(matrix, token(other, theme)));
      expect(apart('confirmed', 'refused')).toBeGreaterThan(10);
      // What was not checked must look neither confirmed nor refused.
      expect(apart('silent', 'confirmed')).toBeGreaterThan(12);
      expect(apart('silent', 'refused')).toBeGreaterThan(12);
    });
  }

  it('never say anything that word and picture do not say too', () => {
    const chip = readFileSync(new URL('../../renderer/parts/chip.tsx', import.meta.url), 'utf8');
    const icons = new Map(
      [...chip.matchAll(/^ {2}(confirmed|remark|refused|unclear|silent): (\w+),/gm)].map((match) => [
        match[1],
        match[2],
      ]),
    );
    expect(new Set(Object.values(verdictTones).map(({ tone, icon }) => icon ?? icons.get(tone))).size).toBe(
      verdictGroups.length,
    );
    expect([...icons.values()]).not.toContain(undefined);
    for (const { verify } of [en, de]) {
      expect(new Set(verdictGroups.map((group) => verify.group[group])).size).toBe(verdictGroups.length);
      expect(new Set(verdictGroups.map((group) => verify.counter[`${group}_other`])).size).toBe(verdictGroups.length);
    }
  });
});
