import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [react()],
  // The placeholder is replaced by a fresh nonce at every load (electron/shell/lockdown.ts, hosts/preview).
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    target: 'chrome130',
    outDir: '../dist/renderer',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 2000,
  },
});
