/** SQL for a text of a row that is shown in one line: anybody who can write to the database wrote it, so it is cut and has no characters that control a terminal. */
export function shownText(column: string, most = 200): string {
  return `regexp_replace(left(${column}, ${most}), '[[:cntrl:]]+', ' ', 'g')`;
}

/** SQL for a `TeamPerson`: the person and the computer of a program. */
export const shownBy = (program = 'p') =>
  `json_build_object('person', coalesce(${shownPerson(program)}, '?'), 'computer', coalesce(${shownText(`${program}.computer`)}, '?'))`;

/** SQL for who a program's person is: the name that the person chose, and the login, which nobody chooses, where it is another. */
export function shownPerson(program = 'p'): string {
  return shownText(
    `left(${program}.person, 120) || coalesce(' (' || nullif(${program}.database_user, ${program}.person) || ')', '')`,
  );
}
