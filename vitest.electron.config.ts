import { defineConfig } from 'vitest/config';

/** The built program in real Electron. Most of the time a test waits for its one window, so two of them run beside each other, each on a display of its own. */
export default defineConfig({
  define: { __VERSION__: '"0.0.0-test"' },
  test: {
    include: ['test/e2e/electron-*.test.ts'],
    globalSetup: ['test/harness/displays.ts'],
    setupFiles: ['test/harness/file-time.ts', 'test/harness/own-display.ts', 'test/harness/print-failures.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A machine may be busy: what is polled for is waited for.
    expect: { poll: { timeout: 20_000 } },
    pool: 'forks',
    maxWorkers: 2,
  },
});
