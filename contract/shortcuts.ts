/**
 * Every keyboard shortcut, once: the window acts by this table, the desktop's menu takes its accelerators from it, and Help lists it. `mod` is Ctrl, or ⌘ on a
 * Mac. Several combinations of one shortcut are separated by a space. The arrow that leads back points as the button for it: to the right where lines run
 * from right to left.
 */
export const shortcuts = [
  { id: 'help', keys: 'F1', group: 'everywhere' },
  { id: 'shortcuts', keys: '?', group: 'everywhere' },
  { id: 'find', keys: 'mod+K', group: 'everywhere' },
  { id: 'openFiles', keys: 'mod+O', group: 'everywhere' },
  { id: 'openFolder', keys: 'mod+Shift+O', group: 'everywhere', isDesktopOnly: true },
  { id: 'paste', keys: 'mod+V', group: 'everywhere' },
  { id: 'search', keys: 'mod+F', group: 'everywhere' },
  { id: 'newRequest', keys: 'mod+N', group: 'everywhere' },
  { id: 'refresh', keys: 'F5', macKeys: 'mod+R', group: 'everywhere' },
  { id: 'takeBack', keys: 'mod+.', group: 'everywhere' },
  { id: 'close', keys: 'Escape', group: 'everywhere' },
  { id: 'back', keys: 'Alt+ArrowLeft', rightToLeftKeys: 'Alt+ArrowRight', macKeys: 'mod+[', group: 'screens' },
  { id: 'forward', keys: 'Alt+ArrowRight', rightToLeftKeys: 'Alt+ArrowLeft', macKeys: 'mod+]', group: 'screens' },
  { id: 'start', keys: 'mod+1', group: 'screens' },
  { id: 'jobs', keys: 'mod+2', group: 'screens' },
  { id: 'documents', keys: 'mod+3', group: 'screens' },
  { id: 'signatures', keys: 'mod+4', group: 'screens' },
  { id: 'verify', keys: 'mod+5', group: 'screens' },
  { id: 'notes', keys: 'mod+6', group: 'screens' },
  { id: 'connections', keys: 'mod+7', group: 'screens' },
  { id: 'settings', keys: 'mod+,', group: 'screens' },
  { id: 'next', keys: 'mod+ArrowDown', group: 'lists' },
  { id: 'previous', keys: 'mod+ArrowUp', group: 'lists' },
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
  /** Where lines run from right to left, except on a Mac. */
  readonly rightToLeftKeys?: string;
  readonly group: 'everywhere' | 'screens' | 'lists' | 'forms' | 'view';
  /** Works by the menu of the desktop program only. */
  readonly isDesktopOnly?: true;
}

export type ShortcutId = (typeof shortcuts)[number]['id'];

/** Screens that have keys, in the order of the rail. */
export const screenShortcuts = [
  'start',
  'jobs',
  'documents',
  'signatures',
  'verify',
  'notes',
  'connections',
  'settings',
] as const satisfies readonly ShortcutId[];

export type ScreenShortcut = (typeof screenShortcuts)[number];
export const isScreenShortcut = (id: ShortcutId): id is ScreenShortcut =>
  (screenShortcuts as readonly ShortcutId[]).includes(id);

/** Shortcuts that the desktop's menu has and the window carries out. */
export const menuShortcuts = [
  ...screenShortcuts,
  'back',
  'forward',
  'newRequest',
  'refresh',
  'next',
  'previous',
] as const;
export type MenuShortcut = (typeof menuShortcuts)[number];

/** The keys of a shortcut on a system, in a language. */
export function keysOf(id: ShortcutId, on: { readonly isMac: boolean; readonly direction: 'ltr' | 'rtl' }): string {
  const shortcut: Shortcut | undefined = shortcuts.find((one) => one.id === id);
  const { keys = '', macKeys = keys, rightToLeftKeys = keys } = shortcut ?? {};
  if (on.isMac) return macKeys;
  return on.direction === 'rtl' ? rightToLeftKeys : keys;
}
