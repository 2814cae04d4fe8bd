import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { resolve } from 'node:path';
import { defineConfig } from 'vite';
import { quickModules } from './quick-modules.ts';
import { recordPackages } from './record-packages.ts';
import { refuseWarnings } from './refuse-warnings.ts';
import { refuseUnreached, withoutUnreached } from './unreached-libraries.ts';

const root = resolve(import.meta.dirname, '..');
const { engines } = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8')) as { engines: { node: string } };
/** Native code cannot be bundled and is loaded from node_modules. */
const external = [/^node:/, ...builtinModules, 'electron', '@napi-rs/keyring', 'pg-native'];

/** What a start loads at once is one file, with all that it imports and no file before it has: each further one would be found, read and linked by itself. */
const together: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  main: { window: /electron.main\.ts$/, contract: /contract.index\.ts$/, core: /core.create-core\.ts$/ },
  cli: {
    words: /cli.(arguments.arguments-given|output.exit-code)\.ts$/,
    texts: /en.command-line\.ts$/,
    command: /cli.main\.ts$/,
    core: /core.create-core\.ts$/,
  },
};

/** `vite build --mode main | preload | cli | preview | workers`: what runs in Node, each into its own folder of dist/. */
export default defineConfig(({ mode }) => {
  const entries: Record<string, readonly string[]> = {
    main: ['electron/start.ts', 'electron/main.ts'],
    preload: ['electron/preload.ts'],
    cli: ['hosts/cli/sealdesk.ts'],
    preview: ['hosts/preview/preview.ts'],
    // Started by the core of each of them, by their names (core/foundation/worker-channel.ts).
    workers: [
      'electron/core/output/pdf/pdf-worker.ts',
      'electron/store/database/sql-worker.ts',
      'electron/store/documents/search-worker.ts',
      'electron/core/verify/pdf-signatures/pdf-signatures-worker.ts',
    ],
  };
  const inputs = entries[mode];
  if (!inputs) throw new Error(`--mode must be one of ${Object.keys(entries).join(', ')}`);
  // A preload script in the sandbox is one CommonJS file; the rest are ES modules.
  const format = mode === 'preload' ? 'cjs' : 'es';
  return {
    root,
    publicDir: false,
    plugins: [recordPackages(), refuseUnreached(), quickModules()],
    resolve: { alias: [withoutUnreached] },
    logLevel: 'warn',
    define: {
      __VERSION__: JSON.stringify(process.env.npm_package_version ?? '0.0.0'),
      __OLDEST_NODE__: JSON.stringify(engines.node.replace('>=', '')),
    },
    build: {
      target: 'node22',
      outDir: `dist/${mode}`,
      emptyOutDir: readdirSync(root).includes('dist'),
      ssr: true,
      minify: false,
      sourcemap: false,
      rolldownOptions: {
        input: inputs.map((input) => resolve(root, input)),
        external,
        onLog: refuseWarnings,
        output: {
          format,
          // What is installed is small; the log names functions and errors as they are.
          minify: { mangle: { keepNames: true } },
          // Beside the entry, as workers and licences are found from where the code lies.
          chunkFileNames: '[name]-[hash].js',
          entryFileNames: `[name].${format === 'cjs' ? 'cjs' : 'js'}`,
          codeSplitting: { groups: Object.entries(together[mode] ?? {}).map(([name, test]) => ({ name, test })) },
          ...(mode === 'cli' ? { banner: '#!/usr/bin/env node' } : {}),
        },
      },
    },
    ssr: { noExternal: true, external: ['electron', '@napi-rs/keyring'] },
  };
});
