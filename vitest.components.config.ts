import react from '@vitejs/plugin-react';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { sourceOfComposed } from './renderer/vite.config.ts';
import { findChromium } from './scripts/browser.mjs';
import { chromiumSwitches } from './test/harness/chromium.ts';

const { path, reason } = findChromium();
if (!path) throw new Error(reason);

// React as it is shipped: its own checks of every element were half of the work in the page.
process.env.NODE_ENV = 'production';

/** Single components of the window in a real browser, before a core that is in the same page. Needs no build. */
export default defineConfig({
  plugins: [react()],
  css: { postcss: { plugins: sourceOfComposed } },
  // Found at the start, so that no page is loaded anew in the middle of a test.
  optimizeDeps: {
    include: ['react', 'react-dom/client', 'react/jsx-runtime', 'zod', '@internationalized/date'],
    entries: ['renderer/app/main.tsx'],
  },
  test: {
    include: ['test/components/**/*.test.tsx'],
    setupFiles: ['test/components/harness/each-test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    maxWorkers: 1,
    fileParallelism: false,
    api: { host: '127.0.0.1' },
    // One page for all files: reading the window's modules anew for each was a third of the work. Each test removes what it drew (each-test.ts).
    isolate: false,
    browser: {
      enabled: true,
      headless: true,
      provider: playwright({
        launchOptions: { executablePath: path, args: [...chromiumSwitches] },
        // Drawing what moves was a quarter of the work: in Electron it moves as it is shipped.
        contextOptions: { locale: 'en-GB', reducedMotion: 'reduce' },
      }),
      instances: [{ browser: 'chromium', viewport: { width: 1280, height: 800 } }],
      screenshotFailures: false,
    },
  },
});
