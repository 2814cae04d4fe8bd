import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { defects } from '../../defects/defects.ts';
import { type Report, whatFound } from '../../defects/what-found.ts';

it('each defect that the tests must find can still be made, in the place that it names', () => {
  const places = defects.map(({ name, file, find }) => [name, readFileSync(file, 'utf8').split(find).length - 1]);
  expect(places).toEqual(defects.map(({ name }) => [name, 1]));
  expect(defects.filter(({ foundBy }) => !existsSync(foundBy))).toEqual([]);
});

it('each is found by a test of the short run', () => {
  const { longer, longest } = JSON.parse(readFileSync('test/lengths.json', 'utf8')) as Record<string, object>;
  const leftOut = Object.keys({ ...longer, ...longest });
  expect(defects.filter(({ foundBy }) => leftOut.includes(foundBy))).toEqual([]);
});

it('docs/tests.md names each with what finds it', () => {
  const page = readFileSync('docs/tests.md', 'utf8');
  const rowOf = ({ area, name, foundBy }: (typeof defects)[number]) =>
    `| ${area} | ${name} | ${foundBy.replace(/^test\/|\.test\.tsx?$/g, '')} |`;
  expect(defects.map(rowOf).filter((row) => !page.includes(row))).toEqual([]);
});

/** A report of one file with these tests: its name, how it ended, and why. */
const report = (...tests: readonly (readonly [string, string, string?])[]): Report => ({
  testResults: [
    {
      assertionResults: tests.map(([fullName, status, why]) => ({
        fullName,
        status,
        failureMessages: why ? [`${why}\n    at …`] : [],
      })),
    },
  ],
});
const fails = report(['adds once', 'failed', 'AssertionError: expected 2 to be 1'], ['adds', 'skipped']);
const passes = report(['adds once', 'passed'], ['adds', 'passed']);

it.each([
  ['a test that passed fails', passes, fails, true],
  ['a test that passed does not end', passes, report(['adds once', 'failed', 'Error: Test timed out in 5 ms.']), true],
  [
    'a page does not show it',
    passes,
    report(['adds once', 'failed', 'Error: \u001b[2mexpect(\u001b[22melement).toBeDisabled()']),
    true,
  ],
  ['nothing fails', passes, passes, false],
  ['the test fails without it too', fails, fails, false],
  ['the test cannot be tried here', report(['adds once', 'skipped']), report(['adds once', 'skipped']), false],
  ['the file does not load with it', passes, report(), false],
  ['the file never loads', report(), report(), false],
  ['the runner wrote nothing', passes, null, false],
  [
    'it is found by another test than the first that breaks down',
    passes,
    report(['adds', 'failed', 'Error: EISDIR'], ['adds once', 'failed', 'AssertionError: no']),
    true,
  ],
  ['the defect does not make sense', passes, report(['adds once', 'failed', 'ReferenceError: no x']), false],
  ['only a test fails that did not pass before', passes, report(['new', 'failed', 'AssertionError: no']), false],
])('a defect counts as found only by a failed assertion: %s', (_what, control, withDefect, isFound) => {
  expect(whatFound(control, withDefect).isFound).toBe(isFound);
});
