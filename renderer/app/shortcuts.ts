import { useEffect, useRef } from 'react';

interface Shortcuts {
  readonly find: () => void;
  readonly openFiles: () => void;
  /** Called for Ctrl+F on a screen without a search field. */
  readonly onSearchMissing: () => void;
}

/** Ctrl/Cmd+K palette, Ctrl/Cmd+O open files, Ctrl/Cmd+F search. Not while a dialog is open. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      const action = actionOf(event.key.toLowerCase(), latest.current);
      if (!action) return;
      event.preventDefault();
      if (!document.querySelector('[role="dialog"],[role="alertdialog"]')) action();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}

function actionOf(key: string, shortcuts: Shortcuts): (() => void) | null {
  if (key === 'k') return shortcuts.find;
  if (key === 'o') return shortcuts.openFiles;
  if (key === 'f') return () => (focusSearch() ? undefined : shortcuts.onSearchMissing());
  return null;
}

/** Search fields are marked with data-search (parts/field.tsx). */
function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('[data-search] input');
  field?.focus();
  field?.select();
  return field !== null;
}
