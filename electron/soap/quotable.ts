/**
 * A word of a head as it may be quoted in a failure: whole, or by its length. Cut, it could hold the beginning of a secret, which no redaction would find.
 */
export function quotable(word: string): string {
  return word.length <= 100 ? word : `a value of ${word.length} characters`;
}
