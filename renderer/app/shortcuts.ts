import { useEffect, useRef } from 'react';
import { isShortcut } from '../parts/keys.ts';

interface Shortcuts {
  readonly find: () => void;
  readonly openFiles: () => void;
  readonly help: () => void;
  readonly shortcuts: () => void;
  /** Called for Ctrl+F on a screen without a search field. */
  readonly onSearchMissing: () => void;
}

/** The shortcuts that work on every screen (contract/shortcuts.ts). While a dialog is open only F1 does; a sign never does while a person is typing. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { find, openFiles, help, onSearchMissing, shortcuts: listShortcuts } = latest.current;
      const isInDialog = document.querySelector('[role="dialog"],[role="alertdialog"]') !== null;
      const search = () => (focusSearch() ? undefined : onSearchMissing());
      const act = (action: () => void, worksInDialog = false) => {
        event.preventDefault();
        if (worksInDialog || !isInDialog) action();
      };
      if (isShortcut(event, 'help')) act(help, true);
      else if (isShortcut(event, 'shortcuts') && !isTyping(event.target)) act(listShortcuts);
      else if (isShortcut(event, 'find')) act(find);
      else if (isShortcut(event, 'openFiles')) act(openFiles);
      else if (isShortcut(event, 'search')) act(search);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('input, textarea, select, [contenteditable]');
}

/** Search fields are marked with data-search (parts/field.tsx). */
function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('[data-search] input');
  field?.focus();
  field?.select();
  return field !== null;
}
