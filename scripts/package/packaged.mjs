import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FuseV1Options, FuseVersion, flipFuses } from '@electron/fuses';
import { nodeBinary } from '../setup.mjs';

/** The check that needs a save dialog answered: on a copy of the folder whose program may be looked into. */
export function checkPackaged(folder) {
  return [['the packaged program writes a report', () => writesReport(folder)]];
}

async function writesReport(folder) {
  if (spawnSync('xvfb-run', ['--help']).status !== 0) return 'no xvfb-run';
  const parent = mkdtempSync(join(tmpdir(), 'sealdesk-packaged-copy-'));
  try {
    const copy = join(parent, 'program');
    cpSync(folder, copy, { recursive: true });
    const program = join(copy, 'sealdesk');
    await flipFuses(program, {
      version: FuseVersion.V1,
      [FuseV1Options.EnableNodeCliInspectArguments]: true,
    });
    const words = ['-a', nodeBinary(), join(import.meta.dirname, 'report-check.mjs'), program];
    const done = spawnSync('xvfb-run', words, { encoding: 'utf8', timeout: 180_000 });
    if (done.status !== 0) throw new Error(`${done.stdout}${done.stderr}`.slice(-1500));
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}
