import type { ImportProblemReason } from '../../../contract/people.ts';

/** People of a file before they are checked, and its parts that hold none. */
export interface ReadPeople {
  readonly people: { readonly line: number; readonly name: string; readonly email: string }[];
  readonly problems: { readonly line: number; readonly reason: ImportProblemReason }[];
}
