/** SQL for a text of a row that is shown in one line: anybody who can write to the database wrote it, so it is cut and has no characters that control a terminal. */
export function shownText(column: string, most = 200): string {
  return `regexp_replace(left(${column}, ${most}), '[[:cntrl:]]+', ' ', 'g')`;
}
