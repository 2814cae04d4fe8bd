/** Characters that control a terminal or turn the direction of what follows, and spaces of all kinds: many of them would move what follows, such as a login, out of sight. */
const unseen = String.raw`[[:cntrl:][:space:]\u00a0\u061c\u115f\u1160\u1680\u180e\u2000-\u200a\u200e\u200f\u2028-\u202f\u205f\u2066-\u2069\u2800\u3000\u3164\uffa0]+`;

/** SQL for a text of a row that is shown in one line: anybody who can write to the database wrote it, so it is cut, and these are one space. */
export function shownText(column: string, most = 200): string {
  return `regexp_replace(left(${column}, ${most}), '${unseen}', ' ', 'g')`;
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
