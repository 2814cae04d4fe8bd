import { z } from 'zod';
import { call, event, type Removed } from './call.ts';
import { isEmail } from './email.ts';
import type { ExportedFile } from './files.ts';
import { language, lineOf, localId, xmlText } from './text.ts';

/** A person of the address book: recipients of earlier requests, and people who were entered or imported. */
export interface Person {
  readonly email: string;
  /** Empty if it is not known. */
  readonly name: string;
  /** Number of requests from here. */
  readonly uses: number;
  /** ISO 8601, UTC; null if no request was sent yet. */
  readonly lastUsedAt: string | null;
}

/** Limits of one import and of the address book. */
export const peopleLimits = { kept: 20_000, nameCharacters: 200, emailCharacters: 254, problems: 100 } as const;

/** Why a part of an imported file was left out; the window has a text for each. */
export type ImportProblemReason = 'no-email' | 'email-invalid' | 'name-too-long' | 'unreadable' | 'full';

export interface PeopleImport {
  readonly fileName: string;
  readonly added: number;
  /** People who were known and got another name. */
  readonly changed: number;
  /** People who were known, and repetitions within the file. */
  readonly known: number;
  /** At most `peopleLimits.problems`, in the order of the file. `line`: of a vCard or text, row of a spreadsheet; the first is 1. */
  readonly problems: readonly { readonly line: number; readonly reason: ImportProblemReason }[];
  readonly problemCount: number;
}

const email = lineOf(peopleLimits.emailCharacters).refine(isEmail, 'is no e-mail address');
const name = xmlText(peopleLimits.nameCharacters)
  .trim()
  .refine((text) => !/[\r\n]/.test(text), 'must be one line');

export const people = {
  /** People by the beginning of any word of name or address; the last used first, then by name. */
  'people.list': call(() => ({
    search: z.string().max(200).default(''),
    offset: z.int().min(0).default(0),
    limit: z.int().min(1).max(500).default(20),
  })).answers<{ readonly people: readonly Person[]; readonly total: number }>(),
  /** Adds a person, or changes the one with the address `was`. Rejects with bad-input (`email`) if another person has the address, with not-found without `was`. */
  'people.save': call(() => ({ was: lineOf(320).optional(), email, name: name.default('') })).answers<Person>(),
  'people.remove': call(() => ({ email: lineOf(320) })).answers<Removed>(),
  'people.clear': call(() => ({})).answers<Removed & { readonly removed: number }>(),
  /** Adds the people of a CSV, XLSX or vCard file. Rejects with bad-input (`tableToken`), file-unreadable. */
  'people.import': call(() => ({ token: localId })).answers<PeopleImport>(),
  /** Exports names and addresses into a CSV file that the person chooses; null if the person cancelled. */
  'people.export': call(() => ({ language })).answers<ExportedFile | null>(),
};

export const peopleEvents = {
  'people.changed': event<null>(),
};
