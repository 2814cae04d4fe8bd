import type { KeyboardEvent } from 'react';

/** Closes a side panel on Esc, unless something inside it has used the key already. */
export function onEscape(close: () => void) {
  return (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.stopPropagation();
    close();
  };
}
