/**
 * Every keyboard shortcut, once: the window acts by this table, the desktop's menu takes its accelerators from it, and Help lists it. `mod` is Ctrl, or ⌘ on a
 * Mac. Several combinations of one shortcut are separated by a space.
 */
export const shortcuts = [
  { id: 'help', keys: 'F1', group: 'everywhere' },
  { id: 'shortcuts', keys: '?', group: 'everywhere' },
  { id: 'find', keys: 'mod+K', group: 'everywhere' },
  { id: 'openFiles', keys: 'mod+O', group: 'everywhere' },
  { id: 'openFolder', keys: 'mod+Shift+O', group: 'everywhere', isDesktopOnly: true },
  { id: 'paste', keys: 'mod+V', group: 'everywhere' },
  { id: 'search', keys: 'mod+F', group: 'everywhere' },
  { id: 'takeBack', keys: 'mod+.', group: 'everywhere' },
  { id: 'close', keys: 'Escape', group: 'everywhere' },
  { id: 'move', keys: 'ArrowUp ArrowDown PageUp PageDown', group: 'lists' },
  { id: 'ends', keys: 'Home End', group: 'lists' },
  { id: 'open', keys: 'Enter', group: 'lists' },
  { id: 'select', keys: 'Space', group: 'lists' },
  { id: 'selectUpTo', keys: 'Shift+Space', group: 'lists' },
  { id: 'selectAll', keys: 'mod+A', group: 'lists' },
  { id: 'columnWidth', keys: 'ArrowLeft ArrowRight', group: 'lists' },
  { id: 'goOn', keys: 'mod+Enter', group: 'forms' },
  { id: 'nextSigner', keys: 'Enter', group: 'forms' },
  { id: 'moveSigner', keys: 'Alt+ArrowUp Alt+ArrowDown', group: 'forms' },
  { id: 'zoomIn', keys: 'mod++', group: 'view', isDesktopOnly: true },
  { id: 'zoomOut', keys: 'mod+-', group: 'view', isDesktopOnly: true },
  { id: 'actualSize', keys: 'mod+0', group: 'view', isDesktopOnly: true },
  { id: 'fullScreen', keys: 'F11', macKeys: 'Control+mod+F', group: 'view', isDesktopOnly: true },
] as const satisfies readonly Shortcut[];

interface Shortcut {
  readonly id: string;
  readonly keys: string;
  /** Where a Mac has other keys. */
  readonly macKeys?: string;
  readonly group: 'everywhere' | 'lists' | 'forms' | 'view';
  /** Works by the menu of the desktop program only. */
  readonly isDesktopOnly?: true;
}

export type ShortcutId = (typeof shortcuts)[number]['id'];

/** The keys of a shortcut. */
export function keysOf(id: ShortcutId): string {
  return shortcuts.find((shortcut) => shortcut.id === id)?.keys ?? '';
}
