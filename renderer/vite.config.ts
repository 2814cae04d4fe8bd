import { gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { type CSSOptions, defineConfig, type Plugin } from 'vite';
import { recordPackages } from '../scripts/record-packages.ts';
import { refuseViteWarnings, refuseWarnings } from '../scripts/refuse-warnings.ts';

/** JavaScript that the page loads before it is shown, compressed, in bytes: above this the start of the program is slow again. */
export const firstLoadLimit = 194_100;

interface Script {
  readonly fileName: string;
  readonly isEntry: boolean;
  readonly imports: readonly string[];
  readonly code: string;
}

/**
 * Compressed bytes of the scripts that a page loads before it is shown: its own, and what they import by `import … from`. What is imported by `import(…)` is
 * loaded later.
 */
export function firstLoadOf(scripts: readonly Script[]): { readonly names: readonly string[]; readonly bytes: number } {
  const byName = new Map(scripts.map((script) => [script.fileName, script]));
  const names = new Set(scripts.filter((script) => script.isEntry).map((script) => script.fileName));
  // A set that grows is visited to its end.
  for (const name of names) for (const next of byName.get(name)?.imports ?? []) names.add(next);
  const sizes = [...names].map((name) => gzipSync(byName.get(name)?.code ?? '', { level: 9 }).length);
  return { names: [...names], bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

/** Why a build is refused; null if its first load is within the limit. */
export function firstLoadProblem(scripts: readonly Script[]): string | null {
  const { names, bytes } = firstLoadOf(scripts);
  if (bytes <= firstLoadLimit) return null;
  return `The first load is ${bytes} bytes of compressed JavaScript, more than ${firstLoadLimit}: ${names.join(', ')}. Load what is not shown at the start by import(…).`;
}

function limitFirstLoad(): Plugin {
  return {
    name: 'limit-first-load',
    generateBundle(_options, bundle) {
      const problem = firstLoadProblem(Object.values(bundle).filter((file) => file.type === 'chunk'));
      if (problem) this.error(problem);
    },
  };
}

/** A file that the window loads later: a language by its tag, a screen by its name. */
function lazyFile({ facadeModuleId }: { readonly facadeModuleId: string | null }): string {
  const language = /locales\/([a-z-]+)\/window\//i.exec(facadeModuleId?.replaceAll('\\', '/') ?? '')?.[1];
  return language ? `assets/texts-${language}-[hash].js` : 'assets/[name]-[hash].js';
}

/** Rules that CSS modules take from another file (`composes`) do not say where they are from: then Vite warns, as it could not find what they name. */
export const sourceOfComposed: Extract<CSSOptions['postcss'], object>['plugins'] = [
  {
    postcssPlugin: 'source-of-composed',
    OnceExit(root) {
      root.walkDecls((declaration) => {
        if (!declaration.source?.input.file) declaration.source = root.source;
      });
    },
  },
];

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [react(), limitFirstLoad(), recordPackages(), refuseViteWarnings()],
  css: { postcss: { plugins: sourceOfComposed } },
  // The placeholder is replaced by a fresh nonce at every load (electron/shell/lockdown.ts, hosts/preview).
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    target: 'chrome130',
    outDir: '../dist/renderer',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 2000,
    // One style sheet: rules keep their order, no screen is shown without its styles, and a style sheet cannot be missing on its own.
    cssCodeSplit: false,
    // The files are on this computer: fetching them ahead saves nothing.
    modulePreload: false,
    rolldownOptions: {
      onLog: refuseWarnings,
      output: {
        chunkFileNames: lazyFile,
        // What index.html loads is one file. What several screens use is in files by who uses it: Home is loaded at once, and needs few of them.
        codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] },
      },
    },
  },
});
