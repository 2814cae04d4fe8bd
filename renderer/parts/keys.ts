import { keysOf, type ShortcutId } from '../../contract/shortcuts.ts';

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
