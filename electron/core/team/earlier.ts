import type { TeamLink } from '../../../contract/team.ts';
import type { Store } from '../../store/store.ts';
import { retryWhileBusy } from '../foundation/retry-while-busy.ts';
import { claimKey } from './claims.ts';

/** What a connection registered before it joined its team, or while it was out of it: it goes into the outbox page by page, and nothing is claimed before all is reported. */
export type Earlier = ReturnType<typeof createEarlier>;

/** Set as long as some is left: the position in the ledger after which it is. */
export const earlierOf = (connectionId: string) => `team.${connectionId}.earlier`;

export function createEarlier(
  { settings, teamClaims }: Pick<Store, 'settings' | 'teamClaims'>,
  connectionId: string,
  onProgress: () => void,
) {
  const key = earlierOf(connectionId);
  let [reported, total, page] = [0, 0, 0];
  const isLeft = () => settings.get(key) !== null;
  return {
    /** True as long as some of it is not reported. */
    isLeft,
    /** Puts the next page into the outbox, after the one before was reported; false if there was none. */
    next: async (): Promise<boolean> => {
      const from = settings.get(key);
      if (from === null) return false;
      if (total === 0) total = teamClaims.earlierCount(connectionId, Number(from));
      reported += page;
      const { count, next } = await retryWhileBusy(() => teamClaims.claimEarlier(connectionId, Number(from), claimKey));
      // The connection may have left meanwhile.
      if (!isLeft()) return false;
      page = count;
      // The last page, which is empty: what it was to find is reported.
      if (count > 0) settings.put(key, String(next));
      else settings.remove(key);
      onProgress();
      return count > 0;
    },
    /** How much is reported since this program began with it; undefined if nothing is left. */
    progress: (): TeamLink['earlier'] => (isLeft() ? { reported, total: Math.max(total, reported + page) } : undefined),
  };
}
