import type { DuplicateOf } from '../../../contract/jobs.ts';

/**
 * The answer to a claim: the right to send, or a colleague's claim in the way. The right is for now, not for later: a computer that slept after asking is silent for
 * its colleagues, who may have decided about its claim meanwhile.
 */
export type Permission =
  | { readonly isGranted: true; readonly mayStillLeave: () => boolean }
  | { readonly isGranted: false; readonly duplicate: DuplicateOf };

/** Without a team register nobody else decides. */
export const unlimited: Permission = { isGranted: true, mayStillLeave: () => true };

/** Shorter than the time after which a program counts as silent (others-claims.ts); longer than connecting to a service takes. */
const heldForMs = 60_000;

/** A permission as of now. Of the two clocks one stands still while a computer sleeps, and the other can be set: the longer time counts. */
export function permissionFromNow(): Permission {
  const [ticksAt, dateAt] = [performance.now(), Date.now()];
  return {
    isGranted: true,
    mayStillLeave: () => Math.max(performance.now() - ticksAt, Date.now() - dateAt) < heldForMs,
  };
}
