import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { settleModes } from '../../../scripts/package/before-pack.mjs';

const asar = createRequire(import.meta.url)('@electron/asar') as {
  createPackage(from: string, to: string): Promise<void>;
};
const folder = mkdtempSync(join(tmpdir(), 'sealdesk-modes-'));
afterAll(() => rmSync(folder, { recursive: true }));

const programs = [
  'dist/cli/sealdesk.js',
  'assets/installer/sealdesk-cli',
  'assets/installer/sealdesk-cli-mac',
  'node_modules/node-gyp-build/bin.js',
];
const plain = [
  'LICENSE',
  'assets/icons/sealdesk.png',
  'dist/main/start.js',
  'dist/workers/sql-worker.js',
  'node_modules/@napi-rs/keyring/index.js',
  'node_modules/@napi-rs/keyring-linux-x64-gnu/keyring.node',
  'node_modules/@photostructure/sqlite/prebuilds/linux-x64/sqlite.glibc.node',
  'node_modules/node-gyp-build/index.js',
];
const manifests = {
  'package.json': { bin: { 'sealdesk-cli': 'dist/cli/sealdesk.js' } },
  'node_modules/node-gyp-build/package.json': { bin: { 'node-gyp-build': './bin.js' } },
};

/** Reads the archive of sources whose files have this mode, and which of them are executable then. It may still be being written: the library does not wait for that. */
async function packed(name: string, mode: number) {
  const root = join(folder, name);
  const texts = { ...Object.fromEntries([...programs, ...plain].map((path) => [path, 'same'])) };
  for (const [path, manifest] of Object.entries(manifests)) texts[path] = JSON.stringify(manifest);
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
    chmodSync(join(root, path), mode);
  }
  settleModes(root);
  const modes = Object.keys(texts).map((path) => [path, (statSync(join(root, path)).mode & 0o777).toString(8)]);
  await asar.createPackage(root, join(folder, `${name}.asar`));
  return { modes: Object.fromEntries(modes), archive: () => readFileSync(join(folder, `${name}.asar`)) };
}

it.skipIf(process.platform === 'win32')(
  'a package is the same whatever modes the files have, built, of the sources, and installed',
  async () => {
    const expected = Object.fromEntries([
      ...programs.map((path) => [path, '755']),
      ...[...plain, ...Object.keys(manifests)].map((path) => [path, '644']),
    ]);
    const [first, ...others] = [
      await packed('plain', 0o644),
      await packed('installed', 0o755),
      await packed('mask', 0o600),
      await packed('everything', 0o777),
    ];
    for (const { modes, archive } of [first, ...others]) {
      expect(modes).toEqual(expected);
      await expect.poll(() => archive().equals(first.archive())).toBe(true);
    }
    expect(first.archive().toString('latin1')).toContain('"executable":true');
  },
);
