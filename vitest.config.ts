import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { isFullLength } from './test/harness/test-length.ts';

const { longestFirst } = JSON.parse(readFileSync('test/lengths.json', 'utf8')) as { longestFirst: readonly string[] };

/**
 * One queue of all projects. Files that take longest begin, so that no worker is left alone with one; those that share a process follow, project by project, as a
 * worker keeps its process only for the next file of the same one.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId, project }: TestSpecification) => {
      const at = longestFirst.findIndex((name) => moduleId.endsWith(`/${name}`));
      return sharing.indexOf(project.name) * 1_000 + (at === -1 ? longestFirst.length : at);
    };
    return sorted.sort((one, other) => rank(one) - rank(other));
  }
}

/** Projects whose files share a process: they share nothing but what they import, and that is most of their time. */
const sharing: readonly string[] = ['core', 'unit'];

/** These measure the memory of their process, in which no other file may have been. */
const measuring = [
  'test/core/jobs-many.test.ts',
  'test/unit/soap/hostile-replies.test.ts',
  'test/unit/soap/other-servers.test.ts',
];
const notMeasuring = measuring.map((file) => `!${file}`);

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
      maxWorkers,
      ...more,
    },
  };
}

/** Four workers for two processors: a file waits for the programs and the pauses that it tries. */
const maxWorkers = 4;

/** Everything that runs in Node: the tests of parts and of the core, and those that open the built window in Chromium. Pieces of the window and Electron have their own. */
export default defineConfig({
  test: {
    maxWorkers,
    globalSetup: ['test/harness/run-folder.ts'],
    sequence: { sequencer: LongestFirst },
    projects: [
      project('preview', ['test/e2e/{preview-*,built-page}.test.ts']),
      project('node', ['test/{interop,faults,hostile,fuzz,team,verdict}/**/*.test.ts', ...measuring]),
      // Left out by what is included: an `exclude` here would stand instead of what the caller leaves out.
      ...sharing.map((name) => project(name, [`test/${name}/**/*.test.ts`, ...notMeasuring], { isolate: false })),
    ],
  },
});
