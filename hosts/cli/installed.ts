import { basename, dirname, join, resolve } from 'node:path';
import { installationOf } from '../../electron/host-kit/data-dir.ts';

const program = resolve(import.meta.dirname, '../..');
const isPackaged = basename(program) === 'app.asar';

/** Samples and WSDLs; they lie beside the archive of a packaged program. */
export const assetsDir = join(isPackaged ? dirname(program) : program, 'assets');

/** What put this program here. */
export const installation = installationOf({
  platform: process.platform,
  isPackaged,
  env: process.env,
  program: process.execPath,
});
