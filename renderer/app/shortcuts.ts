import { useEffect } from 'react';
import { isScreenShortcut, menuShortcuts, type ScreenShortcut, type ShortcutId } from '../../contract/shortcuts.ts';
import { listen } from '../bridge/client.ts';
import { useLatest } from '../parts/hooks/use-latest.ts';
import { isShortcut, openBeside, shown } from '../parts/keys.ts';
import type { Go } from '../parts/navigation.tsx';

interface Shortcuts {
  readonly find: () => void;
  readonly openFiles: () => void;
  readonly help: () => void;
  readonly shortcuts: () => void;
  readonly go: Go;
  /** A page back (-1) or forward (1). */
  readonly step: (by: -1 | 1) => void;
}

const others = ['help', 'shortcuts', 'find', 'openFiles', 'search', 'close'] as const satisfies readonly ShortcutId[];
const known = [...others, ...menuShortcuts];

/**
 * The shortcuts that work on every screen (contract/shortcuts.ts), by keys or by the desktop's menu. While a dialog is open only F1 does; a sign and Esc never do
 * while a person is typing.
 */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useLatest(shortcuts);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const id = known.find((one) => isShortcut(event, one));
      if (id === undefined || event.defaultPrevented) return;
      if ((id === 'shortcuts' || id === 'close') && isTyping(event.target)) return;
      // The caret moves by these.
      if ((id === 'next' || id === 'previous') && isTyping(event.target)) return;
      const isActing = id === 'help' || !isInDialog();
      if (id === 'close') {
        // Closes the panel, or goes back to the page from which this one was opened.
        if (isActing && !press('[data-closes]')) press('[data-back]');
        return;
      }
      event.preventDefault();
      if (isActing) act(id, latest.current);
    };
    window.addEventListener('keydown', onKey);
    const stop = listen('app.shortcutWanted', ({ id }) => (isInDialog() ? undefined : act(id, latest.current)));
    return () => {
      window.removeEventListener('keydown', onKey);
      stop();
    };
  }, []);
}

function act(id: Exclude<(typeof known)[number], 'close'>, shortcuts: Shortcuts): void {
  const { go, step } = shortcuts;
  const own: { readonly [K in Exclude<typeof id, ScreenShortcut>]: () => void } = {
    ...shortcuts,
    search: () => focusSearch() || go({ screen: 'documents' }),
    back: () => press('[data-back]') || step(-1),
    forward: () => step(1),
    newRequest: () => go({ screen: 'compose', fresh: crypto.randomUUID() }),
    refresh: () => press('[data-refresh]'),
    next: () => moveOpen(1),
    previous: () => moveOpen(-1),
  };
  if (isScreenShortcut(id)) go({ screen: id }, 'section');
  else own[id]();
}

function isInDialog(): boolean {
  return document.querySelector('[role="dialog"],[role="alertdialog"]') !== null;
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('input, textarea, select, [contenteditable]');
}

/** Presses the button that carries the mark. False if the page has none. */
function press(mark: string): boolean {
  const [button] = shown(mark);
  button?.click();
  return button !== undefined;
}

/** Opens the row of the list after (1) or before (-1) the open one, or the first one, where the focus is elsewhere too. */
function moveOpen(by: -1 | 1): void {
  const [grid] = shown('[role="grid"]');
  if (!grid) {
    openBeside(by);
    return;
  }
  grid.focus();
  grid.dispatchEvent(new KeyboardEvent('keydown', { key: by === 1 ? 'ArrowDown' : 'ArrowUp', bubbles: true }));
}

/** Search fields are marked with data-search (parts/field.tsx). */
function focusSearch(): boolean {
  const [field] = shown('[data-search] input');
  field?.focus();
  if (field instanceof HTMLInputElement) field.select();
  return field !== undefined;
}
