import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const renderer = resolve(import.meta.dirname, '../../renderer');

/** What moves in a style sheet although a person asked for less motion: neither asked for by `no-preference`, nor by `--ease`, which is 0 s then. */
function movesAnyway(css: string): string[] {
  const always = css
    .replace(/@media \(prefers-reduced-motion: no-preference\) \{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/g, '')
    .replace(/@keyframes [\w-]+ \{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/g, '');
  return [...always.matchAll(/(?<![\w-])(?:animation|transition|scroll-behavior)[\w-]*:([^;}]*)/g)]
    .map((match) => match[0].replace(/\s+/g, ' '))
    .filter((rule) => !rule.split(',').every((part) => /var\(--ease\)| 0s /.test(part)));
}

it('moves nothing for who asked for less motion', () => {
  const files = globSync('**/*.css', { cwd: renderer });
  expect(files.length).toBeGreaterThan(20);
  const moving = files.flatMap((file) =>
    movesAnyway(readFileSync(join(renderer, file), 'utf8')).map((rule) => `${file}: ${rule}`),
  );
  expect(moving).toEqual([]);
  expect(readFileSync(join(renderer, 'styles/tokens.css'), 'utf8')).toMatch(
    /prefers-reduced-motion: reduce\) \{\s*:root \{\s*--ease: 0s linear;/,
  );
  const scripts = globSync('**/*.{ts,tsx}', { cwd: renderer });
  expect(
    scripts.filter((file) => /behavior: 'smooth'|\.animate\(/.test(readFileSync(join(renderer, file), 'utf8'))),
  ).toEqual([]);
});

it('finds what moves', () => {
  const css = `.a { animation: turn 1s linear infinite; }
.b { transition: rotate var(--ease), color 1s; }
.c { transition: rotate var(--ease); }
@media (prefers-reduced-motion: no-preference) {
  .d {
    animation: turn 1s;
  }
}
.e { scroll-behavior: smooth; }
.f { animation: show 0s linear 200ms both; }
@keyframes turn { to { rotate: 1turn; } }`;
  expect(movesAnyway(css)).toEqual([
    'animation: turn 1s linear infinite',
    'transition: rotate var(--ease), color 1s',
    'scroll-behavior: smooth',
  ]);
});
