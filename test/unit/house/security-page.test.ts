import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './floors.ts';

const page = readFileSync(join(root, 'docs/security.md'), 'utf8');

/** Tests that the page names: `FILE`: *TITLE*; *TITLE*. */
const named = [...page.matchAll(/`((?:test|scripts)\/[\w/.-]+)`: (\*[^|·]+?\*)(?= ·| \|)/g)].flatMap(
  ([, file = '', titles = '']) => [...titles.matchAll(/\*([^*]+)\*/g)].map(([, title = '']) => [file, title] as const),
);
const rows = (heading: string) =>
  (page.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2);

describe('the page about security', () => {
  it.each(named)('names a test that exists: %s: %s', (file, title) => {
    expect(existsSync(join(root, file))).toBe(true);
    expect(readFileSync(join(root, file), 'utf8')).toContain(`'${title}'`);
  });

  it('names one for every threat and every point of Electron’s checklist, but for one that no test can hold', () => {
    const points = rows("Electron's checklist");
    expect(points.map((row) => Number(row.split('|')[1]))).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
    const without = [...rows('Threats'), ...points].filter((row) => !/`(test|scripts)\/[^`]+`: \*/.test(row));
    expect(without.map((row) => row.split('|')[2]?.trim())).toEqual(['a current Electron']);
    expect(rows('Threats').length).toBeGreaterThan(10);
  });
});
