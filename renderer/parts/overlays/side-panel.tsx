import { ArrowLeft, X } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '../button.tsx';
import { useNarrow } from '../hooks/use-narrow.ts';
import looks from '../looks.module.css';
import css from './panel.module.css';

/** What is known about the selected row of a list: beside the list, or in its place in a narrow window, with a way back. */
export function SidePanel(props: {
  readonly label: string;
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const { t } = useTranslation();
  const isOver = useNarrow();
  const box = useRef<HTMLElement>(null);
  useFocusOfPanel(box, isOver);
  useEscapeFromHint(box, props.onClose);
  return (
    <aside ref={box} className={css.panel} aria-label={props.label} onKeyDown={onEscape(props.onClose)}>
      {isOver ? (
        <div>
          <Button data-closes="" icon={<ArrowLeft aria-hidden="true" />} onPress={props.onClose}>
            {t('common.back')}
          </Button>
        </div>
      ) : null}
      <div className={css.head}>
        <h2 className={looks.title}>{props.title}</h2>
        {isOver ? null : (
          <IconButton
            data-closes=""
            label={t('documents.closePanel')}
            icon={<X aria-hidden="true" />}
            onPress={props.onClose}
          />
        )}
      </div>
      {props.children}
    </aside>
  );
}

/** Moves the focus into a panel that hides its list, and back to where it was when that is shown again, or the panel goes with it. */
function useFocusOfPanel(box: RefObject<HTMLElement | null>, isOver: boolean): void {
  // Read while rendering: afterwards the list is hidden and has lost it.
  const before = useRef(document.activeElement);
  useEffect(() => {
    const list = before.current;
    if (isOver) box.current?.querySelector<HTMLElement>('button')?.focus();
    return () => {
      const isLost = isOver || document.activeElement === document.body;
      if (isLost && list instanceof HTMLElement && list.isConnected) list.focus();
    };
  }, [box, isOver]);
}

/** Closes a side panel on Esc also where a tooltip is open: React Aria keeps the key for that from whoever listens below the window. */
function useEscapeFromHint(box: RefObject<HTMLElement | null>, close: () => void): void {
  useEffect(() => {
    const onKey = ({ key }: { readonly key: string }) => {
      const isKept = document.querySelector('[role="tooltip"]') !== null;
      if (key === 'Escape' && isKept && box.current?.contains(document.activeElement)) close();
    };
    window.addEventListener('keydown', onKey, true);
    return () => window.removeEventListener('keydown', onKey, true);
  }, [box, close]);
}

/** Closes a side panel on Esc, unless an element inside has already handled the key. */
function onEscape(close: () => void) {
  return (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.stopPropagation();
    close();
  };
}
