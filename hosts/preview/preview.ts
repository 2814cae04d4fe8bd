import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { createCore } from '../../electron/core/create-core.ts';
import { knownFailure } from '../../electron/core/foundation/app-error.ts';
import { programDir } from '../../electron/host-kit/data-dir.ts';
import { previewPorts } from './preview-ports.ts';
import { servePreview } from './preview-server.ts';

/*
 * The window in a browser, for development and for machines that cannot run the desktop program. Not part of any
 * package: a listener on 127.0.0.1 is an attack surface that the desktop program does not need.
 */

z.config({ jitless: true });
// node-soap prints whole requests, including credentials, if this is set.
delete process.env.DEBUG;

const text = { type: 'string' } as const;
const { values } = parseArgs({ options: { port: text, 'data-dir': text, renderer: text } });
const root = resolve(import.meta.dirname, '../..');
// Not the desktop program's folder: experiments stay apart from real data.
const dataDir = resolve(values['data-dir'] ?? join(programDir(), 'preview'));

const core = await createCore(previewPorts(dataDir, join(root, 'assets'), console.log)).catch((error: unknown) => {
  console.error(knownFailure(error).note);
  process.exit(1);
});
const folders = {
  // Tests look at windows that are built in another way too.
  renderer: resolve(values.renderer ?? join(root, 'dist/renderer')),
  bridgeScript: join(root, 'hosts/preview/page-bridge.js'),
};
const server = await servePreview({ core, folders, port: Number(values.port ?? 0) }).catch(async (error: unknown) => {
  await core.close();
  throw error;
});
console.log(`Sealdesk in the browser: ${server.address}`);

let isEnding = false;
const end = () => {
  // Ctrl-C reaches every process of a terminal, and a parent process may forward it too.
  if (isEnding) return;
  isEnding = true;
  setTimeout(() => process.exit(1), 15_000).unref();
  void server.close().then(() => core.close());
};
process.on('SIGINT', end);
process.on('SIGTERM', end);
