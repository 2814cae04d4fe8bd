import { basename, dirname, join, resolve } from 'node:path';

/** Is this the packaged program? It runs the command line in its own Electron, as `sealdesk --cli -- WORDS` (electron/start.ts). */
export const isElectron = process.versions.electron !== undefined;

/** The words of the command line. */
export const argumentsGiven: readonly string[] = process.argv.slice(isElectron ? process.argv.indexOf('--') + 1 : 2);

const program = resolve(import.meta.dirname, '../..');

/** Samples and WSDLs; they lie beside the archive of a packaged program. */
export const assetsDir = join(basename(program) === 'app.asar' ? dirname(program) : program, 'assets');
