import { emailKey } from '../../../contract/email.ts';
import { type Person, peopleLimits } from '../../../contract/people.ts';
import { removeRows } from '../database/removed-rows.ts';
import { beginsWith, searchWords } from '../database/search-words.ts';
import type { Sql } from '../database/sql.ts';

/** People who are known only from requests; those unused for the longest time are removed first. */
const mostRecent = 5_000;

/** A name and an address; an empty name does not replace a known one. */
export interface NewPerson {
  readonly email: string;
  readonly name: string;
}

export type PeopleTable = ReturnType<typeof peopleTable>;

const columns = 'email, name, uses, last_used_at AS lastUsedAt';

export function peopleTable(sql: Sql) {
  let isMerged = true;
  const remove = (where: string, ...values: string[]) => {
    isMerged = false;
    return removeRows(sql, 'people', where, ...values);
  };
  return {
    /** Last used first, then by name. Every search word must be the beginning of a word of the name or address. */
    list: (query: PeopleQuery) => listPeople(sql, query),
    get: (email: string) => sql.get<Person>(`SELECT ${columns} FROM people WHERE key = ?`, emailKey(email)) ?? null,
    /** Counts a request that these people got. */
    used: (people: readonly NewPerson[]): void => {
      if (people.length > 0) sql.transaction(() => countUse(sql, people));
    },
    /** Keeps people in one transaction; answers the outcome for each, in their order. */
    keep: (people: readonly NewPerson[]) =>
      sql.transaction(() => {
        let room = peopleLimits.kept - countOf(sql, 'people WHERE kept = 1');
        return people.map((person) => {
          const outcome = keepOne(sql, person, room > 0);
          if (outcome === 'added') room -= 1;
          return outcome;
        });
      }),
    /** Replaces name and address of a known person. */
    change: (was: string, { email, name }: NewPerson) => {
      isMerged = false;
      sql.run(
        'UPDATE people SET key = ?, email = ?, name = ?, kept = 1 WHERE key = ?',
        emailKey(email),
        email,
        name,
        emailKey(was),
      );
    },
    remove: (email: string) => remove('key = ?', emailKey(email)),
    clear: () => remove('1'),
    /** To be called at the end: the search index has the words of who was removed until it is merged, which takes 0.2 s for as many people as can be kept. */
    mergeSearch: (): void => {
      if (!isMerged) sql.exec("INSERT INTO people_search (people_search) VALUES ('optimize')");
    },
  };
}

export const indexOfPeople = 'INSERT INTO people_search (rowid, name, email) SELECT seq, name, email FROM people';

export interface PeopleQuery {
  readonly search: string;
  readonly offset: number;
  readonly limit: number;
}

function listPeople(sql: Sql, { search, offset, limit }: PeopleQuery) {
  const match = matchOf(search);
  if (match === null) return { people: [], total: 0 };
  const found = 'people_search WHERE people_search MATCH ?';
  const values = match === '' ? [] : [match];
  const where = match === '' ? '' : `WHERE +seq IN (SELECT rowid FROM ${found})`;
  const people = sql.all<Person>(
    `SELECT ${columns} FROM people INDEXED BY people_order ${where} ORDER BY last_used_at DESC, name, key LIMIT ? OFFSET ?`,
    ...values,
    limit,
    offset,
  );
  return { people, total: countOf(sql, match === '' ? 'people' : found, ...values) };
}

function countOf(sql: Sql, where: string, ...values: string[]): number {
  return sql.get<{ n: number }>(`SELECT count(*) AS n FROM ${where}`, ...values)?.n ?? 0;
}

function countUse(sql: Sql, people: readonly NewPerson[]): void {
  const at = new Date().toISOString();
  for (const { email, name } of people)
    sql.run(
      `INSERT INTO people (key, email, name, kept, uses, last_used_at) VALUES (?, ?, ?, 0, 1, ?)
       ON CONFLICT (key) DO UPDATE SET uses = uses + 1, last_used_at = excluded.last_used_at, email = excluded.email,
         name = iif(excluded.name = '', name, excluded.name)`,
      emailKey(email),
      email,
      name,
      at,
    );
  sql.run(
    `DELETE FROM people WHERE seq IN (SELECT seq FROM people INDEXED BY people_kept WHERE kept = 0
       ORDER BY last_used_at DESC LIMIT -1 OFFSET ?)`,
    mostRecent,
  );
}

function keepOne(sql: Sql, { email, name }: NewPerson, hasRoom: boolean): 'added' | 'changed' | 'known' | 'full' {
  const key = emailKey(email);
  const known = sql.get<{ name: string }>('SELECT name FROM people WHERE key = ?', key);
  if (!known && !hasRoom) return 'full';
  if (!known) {
    sql.run(
      'INSERT INTO people (key, email, name, kept, uses, last_used_at) VALUES (?, ?, ?, 1, 0, NULL)',
      key,
      email,
      name,
    );
    return 'added';
  }
  const isOther = name !== '' && name !== known.name;
  sql.run('UPDATE people SET kept = 1, name = ? WHERE key = ?', isOther ? name : known.name, key);
  return isOther ? 'changed' : 'known';
}

/** The search words as an FTS5 expression; empty for a search without words, null if nothing can match (only punctuation). */
function matchOf(search: string): string | null {
  return searchWords(search)?.map(beginsWith).join(' AND ') ?? null;
}
