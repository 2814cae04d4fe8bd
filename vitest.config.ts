import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { isFullLength } from './test/harness/test-length.ts';

const { longestFirst } = JSON.parse(readFileSync('test/lengths.json', 'utf8')) as { longestFirst: readonly string[] };

/** One queue of all projects. Files that take longest begin, so that no worker is left alone with one; the many that share a process end it. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId, project }: TestSpecification) => {
      if (!project.config.isolate) return longestFirst.length + 1;
      const at = longestFirst.findIndex((name) => moduleId.endsWith(`/${name}`));
      return at === -1 ? longestFirst.length : at;
    };
    return sorted.sort((one, other) => rank(one) - rank(other));
  }
}

/** These measure the memory of their process, in which no other file may have been. */
const measuring = ['test/unit/soap/hostile-replies.test.ts', 'test/unit/soap/other-servers.test.ts'];

function project(name: string, include: readonly string[], more: object = {}) {
  return {
    define: { __VERSION__: '"0.0.0-test"' },
    test: {
      name,
      include: [...include],
      setupFiles: ['test/harness/file-time.ts'],
      testTimeout: isFullLength ? 1_800_000 : 120_000,
      hookTimeout: 120_000,
      // A machine may be busy: what is polled for is waited for.
      expect: { poll: { timeout: 20_000 } },
      pool: 'forks' as const,
      maxWorkers: 2,
      ...more,
    },
  };
}

/** Everything that runs in Node: the tests of parts and of the core, and those that open the built window in Chromium. Pieces of the window and Electron have their own. */
export default defineConfig({
  test: {
    maxWorkers: 2,
    globalSetup: ['test/harness/run-folder.ts'],
    sequence: { sequencer: LongestFirst },
    projects: [
      project('preview', ['test/e2e/{preview-*,built-page}.test.ts']),
      project('node', ['test/{core,interop,faults,hostile,fuzz,team}/**/*.test.ts', ...measuring]),
      // These share nothing but what they import, and that is most of their time.
      project('unit', ['test/unit/**/*.test.ts'], { isolate: false, exclude: measuring }),
    ],
  },
});
