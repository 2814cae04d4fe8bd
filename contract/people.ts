import { z } from 'zod';
import { call } from './call.ts';
import { lineOf } from './text.ts';

/** A recipient of an earlier request from here. */
export interface RecentPerson {
  readonly email: string;
  readonly name: string;
  readonly uses: number;
  /** ISO 8601, UTC. */
  readonly lastUsedAt: string;
}

export const people = {
  /** People by the beginning of any word of name or address; the last used first. */
  'people.list': call(
    z.strictObject({ search: z.string().max(200).default(''), limit: z.int().min(1).max(500).default(20) }),
  ).answers<readonly RecentPerson[]>(),
  'people.forget': call(z.strictObject({ email: lineOf(320) })).answers<null>(),
  'people.forgetAll': call(z.strictObject({})).answers<null>(),
};
