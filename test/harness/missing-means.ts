import type { TestContext } from 'vitest';

/** Skips a test whose means this machine does not have. In CI it fails instead: a run in which something was not tried proves nothing. */
export function missing(context: TestContext, what: string): never {
  if (process.env.CI) throw new Error(`${what}: in CI this must be tried`);
  return context.skip(what);
}
