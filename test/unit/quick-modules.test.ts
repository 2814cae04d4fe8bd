import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { afterAll, expect, test } from 'vitest';
import { quickModules } from '../../scripts/quick-modules.ts';

const folder = await mkdtemp(join(tmpdir(), 'sealdesk-quick-modules-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

test('chunks ask the process for Node’s own modules, and say the same in ASCII; entries keep their imports', async () => {
  await writeFile(
    join(folder, 'entry.mjs'),
    "import { sep } from 'node:path';\nexport const value = [sep, await import('./late.mjs')];\n",
  );
  await writeFile(
    join(folder, 'late.mjs'),
    `import os, { EOL as end } from 'node:os';
import * as path from 'node:path';
export const told = { text: 'Grüße 🙂', template: \`\${end}é\`, found: /^[ü🙂]+$/u.test('ü🙂'), same: os.EOL === end, join: path.join('a', 'b'), ünder: 1 };
`,
  );
  const output = { minify: true, entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' };
  const rolldownOptions = { input: join(folder, 'entry.mjs'), output };
  await build({
    root: folder,
    logLevel: 'silent',
    configFile: false,
    plugins: [quickModules()],
    build: { ssr: true, outDir: 'built', rolldownOptions },
  });
  const built = join(folder, 'built');
  const texts = await Promise.all((await readdir(built)).map((name) => readFile(join(built, name), 'utf8')));
  expect(texts).toHaveLength(2);
  for (const text of texts) expect(text).toMatch(/^\p{ASCII}*$/u);
  expect(texts.map((text) => /from"node:/.test(text)).sort()).toEqual([false, true]);
  const { value } = await import(/* @vite-ignore */ pathToFileURL(join(built, 'entry.mjs')).href);
  const { EOL } = await import('node:os');
  expect(value[1].told).toEqual({
    text: 'Grüße 🙂',
    template: `${EOL}é`,
    found: true,
    same: true,
    join: join('a', 'b'),
    ünder: 1,
  });
});
