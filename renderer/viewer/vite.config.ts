import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { recordPackages } from '../../scripts/record-packages.ts';
import { refuseWarnings } from '../../scripts/refuse-warnings.ts';

const library = resolve(import.meta.dirname, '../../node_modules/pdfjs-dist');

/** Files that pdf.js reads while it shows a PDF: character maps, the standard fonts, decoders for rare image formats. */
function readerFiles(): Plugin {
  const wanted: readonly (readonly [folder: string, names: RegExp])[] = [
    ['cmaps', /\.bcmap$/],
    ['standard_fonts', /\.(pfb|ttf)$/],
    ['wasm', /_nowasm_fallback\.js$/],
  ];
  return {
    name: 'reader-files',
    generateBundle() {
      for (const [folder, names] of wanted) {
        for (const name of readdirSync(join(library, folder)).filter((one) => names.test(one))) {
          const source = readFileSync(join(library, folder, name));
          this.emitFile({ type: 'asset', fileName: `pdf/${folder}/${name}`, source });
        }
      }
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [readerFiles(), recordPackages()],
  build: {
    target: 'chrome130',
    outDir: '../../dist/viewer',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: false,
    chunkSizeWarningLimit: 2000,
    rolldownOptions: { onLog: refuseWarnings },
  },
});
