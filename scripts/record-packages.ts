import { relative, resolve } from 'node:path';
import type { Plugin } from 'vite';

const root = resolve(import.meta.dirname, '..');
/** The folder of the package that a file is in, from the project’s root. */
const packageFolder = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/;

/** Writes into the output which packages of node_modules are in it, code as well as fonts: scripts/licences.ts collects their licences. */
export function recordPackages(): Plugin {
  let base = root;
  return {
    name: 'record-packages',
    configResolved(config) {
      base = config.root;
    },
    generateBundle(_options, bundle) {
      const files = Object.values(bundle).flatMap((file) =>
        file.type === 'chunk' ? file.moduleIds : file.originalFileNames,
      );
      const folders = files.flatMap((file) => {
        const path = relative(root, resolve(base, file.replace(/^\0/, '').replace(/\?.*$/, ''))).replaceAll('\\', '/');
        return packageFolder.exec(path)?.[0] ?? [];
      });
      this.emitFile({
        type: 'asset',
        fileName: '.packages.json',
        source: JSON.stringify([...new Set(folders)].sort()),
      });
    },
  };
}
