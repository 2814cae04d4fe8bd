const lengths = ['short', 'ci', 'all'] as const;
type TestLength = (typeof lengths)[number];

/**
 * How long the tests of this run are, in every suite: `short` is what somebody waits for (npm test, and a file run by hand),
 * `ci` what must hold before a change is taken, `all` everything at full length (npm run test:all). Each contains the one before.
 */
export const testLength = readLength(process.env.SEALDESK_TESTS);

export const isFullLength = testLength === 'all';

/** The value for this run; `ci` runs the short one where it has none of its own. */
export function atLength<Value>(values: { readonly short: Value; readonly ci?: Value; readonly all: Value }): Value {
  return testLength === 'ci' ? (values.ci ?? values.short) : values[testLength];
}

/** Of a table of similar cases: each in turn at full length, one of so many in shorter runs. */
export function sampled<Row>(rows: readonly Row[], oneOf: { readonly short: number; readonly ci: number }): Row[] {
  const every = atLength({ ...oneOf, all: 1 });
  return rows.filter((_row, at) => at % every === 0);
}

/** A misspelled length would run less than was asked for. */
function readLength(word = 'short'): TestLength {
  const found = lengths.find((length) => length === word);
  if (!found) throw new Error(`SEALDESK_TESTS is ${JSON.stringify(word)}; it may be ${lengths.join(', ')}.`);
  return found;
}
