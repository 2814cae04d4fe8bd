import type { RecentPerson } from '../../../contract/people.ts';
import type { Sql } from '../database/sql.ts';

/** More than a person scrolls through; those unused for the longest time are removed first. */
const mostPeople = 5_000;

export interface PeopleTable {
  /** Last used first. Every search word must be the beginning of a word of the name or address. */
  list(search: string, limit: number): RecentPerson[];
  /** Counts a request to these people. An empty name does not replace a known one. */
  used(people: readonly { readonly email: string; readonly name: string }[]): void;
  forget(email: string): void;
  forgetAll(): void;
}

interface PersonRow {
  readonly email: string;
  readonly name: string;
  readonly uses: number;
  readonly last_used_at: string;
}

export function peopleTable(sql: Sql): PeopleTable {
  return {
    list: (search, limit) => {
      const words = wordsOf(search);
      return sql
        .all<PersonRow>('SELECT * FROM people ORDER BY last_used_at DESC, email')
        .filter(({ name, email }) =>
          words.every((word) => wordsOf(`${name} ${email}`).some((own) => own.startsWith(word))),
        )
        .slice(0, limit)
        .map(({ email, name, uses, last_used_at }) => ({ email, name, uses, lastUsedAt: last_used_at }));
    },
    used: (people) =>
      sql.transaction(() => {
        const at = new Date().toISOString();
        for (const { email, name } of people)
          sql.run(
            `INSERT INTO people VALUES (?, ?, ?, 1, ?) ON CONFLICT (key) DO UPDATE SET uses = uses + 1,
               last_used_at = excluded.last_used_at, email = excluded.email,
               name = iif(excluded.name = '', name, excluded.name)`,
            email.toLowerCase(),
            email,
            name,
            at,
          );
        sql.run(
          'DELETE FROM people WHERE key IN (SELECT key FROM people ORDER BY last_used_at DESC LIMIT -1 OFFSET ?)',
          mostPeople,
        );
      }),
    forget: (email) => void sql.run('DELETE FROM people WHERE key = ?', email.toLowerCase()),
    forgetAll: () => void sql.run('DELETE FROM people'),
  };
}

function wordsOf(text: string): string[] {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
