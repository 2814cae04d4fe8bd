import { resolve } from 'node:path';
import type { Plugin } from 'vite';

/**
 * Libraries that node-soap requires for what the program does itself or not at all: requests over HTTP, NTLM, signed XML, attachments. Without them the
 * programs are smaller, start faster, and have less code that a hostile reply could reach.
 */
const unreached = ['axios', 'axios-ntlm', 'xml-crypto', 'formidable'] as const;

/** The same with all that only they need: none of it may be in a program. */
const neverIn = new Set<string>([
  ...unreached,
  ...[
    '@xmldom/is-dom-node',
    '@xmldom/xmldom',
    'xpath',
    'follow-redirects',
    'form-data',
    'des.js',
    'js-md4',
    'dev-null',
  ],
]);

/** For `resolve.alias`: an import of one of them gets a module that throws when it is used. */
export const withoutUnreached = {
  find: new RegExp(`^(${unreached.join('|')})$`),
  replacement: resolve(import.meta.dirname, 'unreached-library.cjs'),
};

/** The library that a module belongs to; null for the program's own. */
function libraryOf(moduleId: string): string | null {
  const path = moduleId.replaceAll('\\', '/').split('node_modules/').slice(1).at(-1);
  return /^(@[^/]+\/)?[^/]+/.exec(path ?? '')?.[0] ?? null;
}

/** Names of the libraries among these modules that must not be there. */
export function forbiddenAmong(moduleIds: Iterable<string>): string[] {
  const found = [...moduleIds].map(libraryOf).filter((library) => library !== null && neverIn.has(library));
  return [...new Set(found)].filter((library) => library !== null).sort();
}

/** Parts of node-soap itself: its server, and what signs requests or presents certificates, which loads node's TLS whether it is used or not. */
const unreachedParts = /^\.\/(security|server)$/;

/** Puts the stand-in in the place of those parts, and lets the build fail if one of the libraries is in a program all the same. */
export function refuseUnreached(): Plugin {
  return {
    name: 'refuse-unreached-libraries',
    enforce: 'pre',
    resolveId: (source, importer = '') =>
      /soap[\\/]lib[\\/]soap\.js$/.test(importer) && unreachedParts.test(source)
        ? withoutUnreached.replacement
        : undefined,
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const found = forbiddenAmong(chunks.flatMap((chunk) => Object.keys(chunk.modules)));
      if (found.length > 0) this.error(`These libraries must not be in the program: ${found.join(', ')}`);
    },
  };
}
