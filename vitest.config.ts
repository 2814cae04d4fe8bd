import { defineConfig } from 'vitest/config';

/** Everything that runs in plain Node. The browser and Electron suites have their own runners (scripts/test.mjs). */
export default defineConfig({
  define: { __VERSION__: '"0.0.0-test"' },
  test: {
    include: ['test/{unit,core,interop,faults,hostile,fuzz,team}/**/*.test.ts'],
    globalSetup: ['test/harness/run-folder.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A machine may be busy: what is polled for is waited for.
    expect: { poll: { timeout: 20_000 } },
    pool: 'forks',
    maxWorkers: 2,
  },
});
