import { builtinModules } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { programFiles } from './test-programs.ts';

/** Modules keep the names of their sources: they find what lies beside them there, and workers start as from the sources. */
const keepSources: Plugin = {
  name: 'keep-sources',
  transform: (code, id) =>
    id.includes('node_modules') || !code.includes('import.meta')
      ? null
      : code
          .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
          .replaceAll('import.meta.filename', JSON.stringify(id))
          .replaceAll('import.meta.dirname', JSON.stringify(resolve(id, '..'))),
};

/** `vite build` of all programs that tests start. */
export default defineConfig({
  root: resolve(import.meta.dirname, '../..'),
  publicDir: false,
  logLevel: 'error',
  plugins: [keepSources],
  build: {
    target: 'node24',
    ssr: true,
    minify: false,
    rolldownOptions: {
      input: programFiles(),
      external: [/^node:/, ...builtinModules, '@napi-rs/keyring', 'pg-native'],
    },
  },
  ssr: { noExternal: true, external: ['@napi-rs/keyring'] },
});
