import { execFileSync } from 'node:child_process';
import type { TestContext } from 'vitest';
import { which } from '../../scripts/setup.mjs';
import { missing } from './missing-means.ts';

/** For a test that works for long before it needs the program: asks at its beginning whether it is installed. */
export function needTool(test: TestContext, program: string): void {
  if (!which(program)) missing(test, `${program} is not installed`);
}

/** Output of an independent program. If it is not installed the test counts as skipped (in CI as failed), never as passed. */
export function outputOf(test: TestContext, program: string, ...words: string[]): string {
  try {
    return execFileSync(program, words, { encoding: 'utf8', maxBuffer: 2 ** 28 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return missing(test, `${program} is not installed`);
    throw error;
  }
}
