import { directionOf } from '../contract/languages.ts';

const leftToRightIsolate = '\u2066';
const firstStrongIsolate = '\u2068';
const popIsolate = '\u2069';

/**
 * A value for a sentence in `language`. In a sentence from right to left it keeps its own order: without the invisible marks, the dot of "report.pdf" or
 * the sign of "+49" would move to the other end. A value without letters, such as 2026-11-22, has no direction of its own: digits are written from left to right.
 */
export function isolated(value: string, language: string): string {
  if (value === '' || directionOf(language) === 'ltr') return value;
  const isolate = /\p{L}/u.test(value) ? firstStrongIsolate : leftToRightIsolate;
  return `${isolate}${value}${popIsolate}`;
}
