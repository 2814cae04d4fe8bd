/** What vitest's JSON reporter says about a run, as far as it counts here. */
export interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages?: readonly string[] | null;
    }[];
  }[];
}

/**
 * What was promised is not so, or does not come (`until` and `untilJobs` of test/core/jobs-setup.ts), or is not what a page shows, in the words of vitest's browser. Any other
 * error may be one of the defect itself.
 */
const assertion =
  /^(\w*AssertionError|Error: (Test timed out|it did not come to that|jobs are|expected \[Function\] to throw|Cannot find element|expect\())/;
const colours = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, 'g');

/**
 * Whether a test found a defect. It must have passed without it, or it cannot be run here; and one of the tests that passed must fail with it, and not only be skipped, be
 * gone or break down with the file that does not compile.
 */
export function whatFound(
  control: Report | null,
  report: Report | null,
): { readonly isFound: boolean; readonly why: string } {
  const missed = (why: string) => ({ isFound: false, why });
  const resultsOf = (of: Report | null) => of?.testResults.flatMap(({ assertionResults }) => assertionResults) ?? [];
  const before = resultsOf(control);
  const passed = before.filter(({ status }) => status === 'passed').map(({ fullName }) => fullName);
  const [failedBefore] = before.filter(({ status }) => status === 'failed');
  if (failedBefore) return missed(`fails without the defect: ${failedBefore.fullName}`);
  if (passed.length === 0) return missed('nothing of it can be tried here, or it does not load, without the defect');
  const failed = resultsOf(report).filter(({ status, fullName }) => status === 'failed' && passed.includes(fullName));
  const said = failed.map(({ fullName, failureMessages }) => {
    const message = failureMessages?.[0]?.replaceAll(colours, '').split('\n')[0] ?? '';
    return { isFound: assertion.test(message), why: `${fullName}: ${message}` };
  });
  return said.find(({ isFound }) => isFound) ?? said[0] ?? missed(report ? 'no test fails' : 'it did not end');
}
