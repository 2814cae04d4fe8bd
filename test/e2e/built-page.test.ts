import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { languageTags } from '../../contract/languages.ts';
import { firstLoadLimit } from '../../renderer/vite.config.ts';

const built = resolve(import.meta.dirname, '../../dist/renderer');

/** The scripts that index.html loads at once, by what the built files themselves import; `import(…)` is later. */
function firstScripts(): string[] {
  const page = readFileSync(join(built, 'index.html'), 'utf8');
  const names = new Set([...page.matchAll(/<script[^>]+src="\.\/([^"]+)"/g)].map((match) => match[1] ?? ''));
  // A set that grows is visited to its end.
  for (const name of names) {
    const code = readFileSync(join(built, name), 'utf8');
    for (const [, path = ''] of code.matchAll(/(?:^|[;}])import(?:[\w{},*$\s]+from)?["'](\.[^"']+\.js)["']/g))
      names.add(normalize(join(dirname(name), path)));
  }
  return [...names];
}

describe.skipIf(!existsSync(join(built, 'index.html')))('the built page', () => {
  it('loads at most 240 kB of compressed JavaScript before it is shown', () => {
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
