import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { languageTags } from '../../contract/languages.ts';
import { firstLoadLimit } from '../../renderer/vite.config.ts';

const dist = resolve(import.meta.dirname, '../../dist');
const built = join(dist, 'renderer');

/** The scripts that index.html loads at once. */
function firstScripts(): string[] {
  const page = readFileSync(join(built, 'index.html'), 'utf8');
  return loadedWith(
    built,
    [...page.matchAll(/<script[^>]+src="\.\/([^"]+)"/g)].map((match) => match[1] ?? ''),
  );
}

/** These files and those that are loaded with them, by what the built files themselves import; `import(…)` is later. */
function loadedWith(folder: string, first: readonly string[]): string[] {
  const names = new Set(first);
  // A set that grows is visited to its end.
  for (const name of names) {
    const code = readFileSync(join(folder, name), 'utf8');
    for (const [, path = ''] of code.matchAll(/(?:^|[;}])import(?:[\w{},*$\s]+from)?["'](\.[^"']+\.js)["']/g))
      names.add(normalize(join(dirname(name), path)));
  }
  return [...names];
}

describe.skipIf(!existsSync(join(built, 'index.html')))('the built page', () => {
  it('loads at most 192 kB of compressed JavaScript before it is shown', () => {
    const scripts = firstScripts();
    expect(scripts.length).toBeGreaterThan(0);
    const bytes = scripts.reduce(
      (sum, name) => sum + gzipSync(readFileSync(join(built, name)), { level: 9 }).length,
      0,
    );
    console.info(`First load: ${bytes} bytes of compressed JavaScript in ${scripts.length} files`);
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThanOrEqual(firstLoadLimit);
  });

  it('loads further languages, other screens and the viewer of PDFs only when they are opened', () => {
    const first = firstScripts();
    const all = globSync('**/*.js', { cwd: built });
    for (const tag of languageTags.filter((one) => one !== 'en')) {
      const files = all.filter((name) => name.includes(`texts-${tag}-`));
      expect(files).toHaveLength(1);
      expect(first).not.toContain(files[0]);
    }
    const later = all.filter((name) => !first.includes(name));
    expect(later.length).toBeGreaterThan(10);
    for (const name of all) expect(readFileSync(join(built, name), 'utf8')).not.toContain('GlobalWorkerOptions');
  });
});

/** Each with a word that is nowhere else. */
const libraries = [
  ['papaparse', 'escapeFormulae'],
  ['fflate', 'ZipDeflate'],
  ['soap', 'wsdl_options'],
] as const;
const kilobytes = (folder: string, names: readonly string[]) =>
  names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0) / 1000;

describe.skipIf(!existsSync(join(dist, 'main', 'main.js')))('the built programs', () => {
  it('make the window before the core is loaded', () => {
    const folder = join(dist, 'main');
    const first = loadedWith(folder, ['start.js', 'main.js']);
    const core = globSync('create-core-*.js', { cwd: folder });
    expect(core).toHaveLength(1);
    expect(first).not.toContain(core[0]);
    expect(kilobytes(folder, first)).toBeLessThan(220);
  });

  it('load a command when it is asked for, and the core after the command line was understood', () => {
    const folder = join(dist, 'cli');
    const run = globSync('run-*.js', { cwd: folder });
    expect(run).toHaveLength(1);
    const first = loadedWith(folder, run);
    for (const later of ['create-core', 'register', 'verify', 'jobs']) {
      const files = globSync(`${later}-*.js`, { cwd: folder });
      expect(files.length, later).toBeGreaterThan(0);
      expect(first.filter((name) => files.includes(name))).toEqual([]);
    }
    expect(kilobytes(folder, first)).toBeLessThan(350);
  });

  it.each(['main', 'cli'])('load the core without the libraries that only some work needs (%s)', (program) => {
    const folder = join(dist, program);
    const loaded = loadedWith(folder, globSync('create-core-*.js', { cwd: folder }));
    expect(loaded).not.toEqual([]);
    const code = loaded.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
    for (const [library, word] of libraries) {
      const files = globSync('*.js', { cwd: folder }).filter((name) => !loaded.includes(name));
      expect(code, library).not.toContain(word);
      expect(
        files.some((name) => readFileSync(join(folder, name), 'utf8').includes(word)),
        library,
      ).toBe(true);
    }
  });
});
