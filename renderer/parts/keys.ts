import { useEffect } from 'react';
import { keysOf, type ShortcutId } from '../../contract/shortcuts.ts';
import { useLatest } from './hooks/use-latest.ts';

/** True where ⌘ takes the place of Ctrl. */
export const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** The keys of each combination: `mod+Shift+O` is `mod`, `Shift` and `O`. Combinations are separated by a space; the key + is written last. */
export function combinationsOf(keys: string): readonly (readonly string[])[] {
  return keys.split(' ').map((combination) => combination.replace(/\+\+$/, '+plus').split('+'));
}

/** The keys of a shortcut on this system and in the window's language. */
export function keysHere(id: ShortcutId): string {
  return keysOf(id, { isMac, direction: document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr' });
}

/** Whether a key event is a shortcut. Letters count without Shift and Alt; signs by whatever keys they need on this keyboard. */
export function isShortcut(event: KeyboardEvent, id: ShortcutId): boolean {
  const [keys = []] = combinationsOf(keysHere(id));
  const key = keys.at(-1) ?? '';
  const needsMod = keys.includes('mod');
  if (needsMod !== (event.ctrlKey || event.metaKey) || keys.includes('Alt') !== event.altKey) return false;
  const isSign = key.length === 1 && !needsMod;
  return event.key.toLowerCase() === key.toLowerCase() && (isSign || event.shiftKey === keys.includes('Shift'));
}

/** Ctrl and Enter press the primary button of a form, from every field. Not for what cannot be taken back: that is asked in a next step. */
export function useGoOn(goOn: (() => void) | null): void {
  const latest = useLatest(goOn);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isInDialog = document.querySelector('[role="dialog"],[role="alertdialog"]') !== null;
      // On a button the key presses that button.
      const isButton = event.target instanceof Element && event.target.closest('button, a, summary') !== null;
      if (isInDialog || isButton || event.defaultPrevented || event.repeat || !isShortcut(event, 'goOn')) return;
      event.preventDefault();
      latest.current?.();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}

/** Elements of the page that is shown: those of pages that can be gone back to are hidden. */
export function shown(selector: string): readonly HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(selector)].filter((one) => one.checkVisibility());
}

/** Opens the row of the list after (1) or before (-1) the open one, or the first one. The buttons that open rows are marked with data-opens, the open one's with aria-current. */
export function openBeside(by: -1 | 1): void {
  const rows = shown('[data-opens]');
  const at = rows.findIndex((row) => row.getAttribute('aria-current') === 'true');
  const next = at === -1 ? rows[0] : rows[at + by];
  next?.scrollIntoView({ block: 'nearest' });
  // Where the panel covers the list, the focus stays in the panel.
  next?.focus({ preventScroll: true });
  next?.click();
}
