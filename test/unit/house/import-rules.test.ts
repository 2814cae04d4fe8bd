import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..', '..', '..');
const host = ['electron', 'electron/main', 'soap'];

/** docs/architecture.md, who may import whom: where, what is refused, what is not. */
const rows: readonly (readonly [file: string, refused: readonly string[], allowed: readonly string[]])[] = [
  ['contract/x.ts', ['../electron/core/failing.ts', 'node:path', 'react', '../renderer/app/x.tsx'], ['./y.ts', 'zod']],
  ...['core', 'calls', 'store'].map(
    (folder) =>
      [
        `electron/${folder}/x.ts`,
        [...host, '../window.ts', '../system/y.ts', '../../renderer/y.ts', '../../hosts/y.ts', '../../practice/y.ts'],
        ['node:fs', 'zod', '../core/y.ts', '../store/y.ts', '../soap/y.ts', '../../contract/y.ts'],
      ] as const,
  ),
  ['electron/core/jobs/x.ts', ['../../window.ts', '../../system/y.ts'], ['../y.ts', '../../store/y.ts']],
  [
    'electron/soap/x.ts',
    ['electron', '../store/y.ts', '../calls/y.ts', '../window.ts', '../../renderer/y.ts', '../../hosts/y.ts'],
    ['soap', '../core/failing.ts', '../../contract/y.ts'],
  ],
  ['electron/x.ts', ['soap', '../renderer/y.ts', '../hosts/y.ts'], ['electron', './core/y.ts', '../practice/y.ts']],
  ['renderer/parts/x.ts', ['../bridge/y.ts', '../screens/y/z.tsx', '../app/y.ts', 'node:fs'], ['react', './y.ts']],
  [
    'renderer/screens/one/x.ts',
    ['../two/y.tsx', '../../screens/two/y.tsx', '../../app/y.tsx', '../../../electron/core/y.ts', 'node:fs'],
    ['./y.tsx', '../../parts/y.tsx', '../../bridge/y.ts', '../../locales/y.ts', '../../../contract/y.ts'],
  ],
  ['renderer/bridge/x.ts', ['../screens/y.ts', '../app/y.ts', '../../electron/y.ts'], ['../../contract/y.ts']],
  ['renderer/app/x.ts', ['../../electron/core/y.ts', 'electron'], ['../screens/one/y.tsx', '../bridge/y.ts']],
  [
    'renderer/viewer/x.ts',
    ['react', '../bridge/y.ts', '../parts/y.tsx', '../../contract/y.ts', '../../electron/y.ts'],
    ['./y.ts', 'pdfjs-dist/legacy/build/pdf.mjs'],
  ],
  ['practice/x.ts', ['electron', '../electron/core/y.ts', '../contract/y.ts', '../hosts/y.ts'], ['./y.ts', 'saxes']],
  ...['hosts/cli/x.ts', 'hosts/cli/commands/x.ts'].map((file) => {
    const up = file === 'hosts/cli/x.ts' ? '../..' : '../../..';
    const refused = ['soap', 'store', 'calls', 'system'].map((folder) => `${up}/electron/${folder}/y.ts`);
    return [
      file,
      ['electron', 'soap', ...refused, `${up}/electron/window.ts`, `${up}/renderer/y.ts`],
      [`${up}/electron/core/y.ts`, `${up}/contract/y.ts`, `${up}/practice/y.ts`],
    ] as const;
  }),
];

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'import-rules-'));
  cpSync(join(root, 'biome.json'), join(folder, 'biome.json'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Lines of a file with these imports, one a line, that the linter refuses. */
function refusedIn(file: string, imports: readonly string[]): string[] {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, imports.map((name, n) => `export { a as a${n} } from '${name}';\n`).join(''));
  const biome = join(root, 'node_modules', '@biomejs', 'biome', 'bin', 'biome');
  const args = ['lint', '--vcs-enabled=false', '--only=style/noRestrictedImports', '--max-diagnostics=100', file];
  const ran = spawnSync(process.execPath, [biome, ...args], { cwd: folder, encoding: 'utf8' });
  const found = (ran.stdout + ran.stderr).matchAll(/x\.ts:(\d+):\d+ lint\/style\/noRestrictedImports/g);
  return [...found].map(([, line]) => imports[Number(line) - 1] ?? '').sort();
}

it.each(rows)('%s', (file, refused, allowed) => {
  expect(refusedIn(file, [...refused, ...allowed])).toEqual([...refused].sort());
});
