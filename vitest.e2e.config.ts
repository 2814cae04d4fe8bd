import { defineConfig } from 'vitest/config';

/** Whole programs in a real browser and in real Electron, one after another. scripts/test.mjs provides both and builds before. */
export default defineConfig({
  define: { __VERSION__: '"0.0.0-test"' },
  test: {
    include: ['test/e2e/**/*.test.ts'],
    setupFiles: ['test/harness/print-failures.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A machine may be busy: what is polled for is waited for.
    expect: { poll: { timeout: 20_000 } },
    pool: 'forks',
    maxWorkers: 1,
    fileParallelism: false,
  },
});
