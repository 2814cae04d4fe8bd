import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

/** The archive of a build whose files have this mode. */
async function archiveOf(name: string, mode: number): Promise<Buffer> {
  const built = join(folder, name);
  for (const path of ['main/start.js', 'cli/sealdesk.js']) {
    mkdirSync(join(built, path, '..'), { recursive: true });
    writeFileSync(join(built, path), 'same');
    chmodSync(join(built, path), mode);
  }
  settleModes(built);
  await asar.createPackage(built, join(folder, `${name}.asar`));
  return readFileSync(join(folder, `${name}.asar`));
}

it.skipIf(process.platform === 'win32')('the archive is the same whatever modes the built files have', async () => {
  const archives = [
    await archiveOf('plain', 0o644),
    await archiveOf('installed', 0o755),
    await archiveOf('mask', 0o600),
  ];
  for (const archive of archives) expect(archive.equals(archives[0] as Buffer)).toBe(true);
  expect(archives[0]?.toString('latin1')).toContain('"executable":true');
});
