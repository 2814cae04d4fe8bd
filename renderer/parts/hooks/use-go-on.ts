import { useEffect, useRef } from 'react';
import { isShortcut } from '../keys.ts';

/** Ctrl and Enter press the primary button of a form, from every field. Not for what cannot be taken back: that is asked in a next step. */
export function useGoOn(goOn: (() => void) | null): void {
  const latest = useRef(goOn);
  useEffect(() => {
    latest.current = goOn;
  });
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
