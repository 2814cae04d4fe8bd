import { readFileSync } from 'node:fs';

/** The most that a figure may be. */
export interface Limit {
  /** A ratio to the reference, or MB; null for a figure that is no longer measured. */
  readonly limit: number | null;
  /** Why it was raised, or is no longer measured. */
  readonly why?: string;
}
export type Limits = Readonly<Record<string, Limit>>;

export function parseLimits(text: string): Limits {
  return JSON.parse(text) as Limits;
}

export const readLimits = (): Limits => parseLimits(readFileSync(new URL('./limits.json', import.meta.url), 'utf8'));

/** Figures of `bench:busy`, in ms, which takes too long for `bench:quick`. */
export const busyNames = ['busy-turn', 'busy-key'] as const;

/** From this multiple of its limit on a figure fails: machines differ, and so do runs. */
export const tolerance = 1.5;

/** What is higher than at an earlier time without a reason that is new since then: limits only fall, or somebody says why they do not. */
export function raisedWithoutReason(earlier: Limits, now: Limits): string[] {
  return Object.entries(earlier).flatMap(([name, before]) => {
    const after = now[name];
    if (!after)
      return [`${name} is gone: a figure that is no longer measured keeps its line, with the limit null and why`];
    const isHigher = (after.limit ?? Number.POSITIVE_INFINITY) > (before.limit ?? Number.POSITIVE_INFINITY);
    if (!isHigher || (after.why && after.why !== before.why)) return [];
    return [`${name} was ${before.limit} and is ${after.limit}: lower it, or say why in "why"`];
  });
}
