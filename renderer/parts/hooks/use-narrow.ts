import { useSyncExternalStore } from 'react';

/** As in the style sheets of split screens: below it a list and a panel do not fit side by side. */
const narrow = '(max-width: 61.25em)';

/** True in a window that has no room for a list with a panel beside it: small, or much enlarged. */
export function useNarrow(): boolean {
  return useSyncExternalStore(
    (changed) => {
      const query = matchMedia(narrow);
      query.addEventListener('change', changed);
      return () => query.removeEventListener('change', changed);
    },
    () => matchMedia(narrow).matches,
  );
}
