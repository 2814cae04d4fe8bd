import { useSyncExternalStore } from 'react';

/** As in the style sheets of split screens: below it a list and a panel do not fit side by side. */
const splitNeeds = '(max-width: 61.25em)';

/** True in a window that has no room for a list with a panel beside it (or for what `query` is about): small, or much enlarged. */
export function useNarrow(query = splitNeeds): boolean {
  return useSyncExternalStore(
    (changed) => {
      const list = matchMedia(query);
      list.addEventListener('change', changed);
      return () => list.removeEventListener('change', changed);
    },
    () => matchMedia(query).matches,
  );
}
