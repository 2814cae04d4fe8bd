import { Unproven } from '../cms/unproven.ts';

/** Why a path of certificates, or what is known about one, does not count. The message is one English sentence. */
export class Refusal extends Error {}

/** Null for what cannot be read, or does not count. */
export function orNull<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof Unproven || error instanceof Refusal) return null;
    throw error;
  }
}
