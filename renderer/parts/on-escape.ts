import type { KeyboardEvent } from 'react';

/** Closes a side panel on Esc, unless an element inside has already handled the key. */
export function onEscape(close: () => void) {
  return (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.stopPropagation();
    close();
  };
}
