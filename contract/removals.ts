import { call } from './call.ts';
import { localId } from './text.ts';

/** Something was removed and can be put back a little longer than the window offers it, with `removals.putBack`. */
export interface Removed {
  readonly removal: string;
}

export const removals = {
  /** Puts back what was removed, as it was. Rejects with not-found if it is too late, or something else has its place. */
  'removals.putBack': call(() => ({ removal: localId })).answers<null>(),
};
