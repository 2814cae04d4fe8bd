import type { TFunction } from 'i18next';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  type Dragged,
  type DropOffer,
  draggedOf,
  fileCountOf,
  offerFor,
  readTransfer,
} from '../features/files/dropped.ts';
import { useSelection } from '../features/files/selection.tsx';
import { Seal } from '../parts/empty.tsx';
import looks from '../parts/looks.module.css';
import { useGo } from '../parts/navigation.tsx';
import css from './frame.module.css';

/**
 * Accepts dropped and pasted files anywhere in the window, and says before they are let go what will happen: the screen that is shown takes them, or
 * they are added to the selection and the chooser asks.
 */
export function DropEverywhere() {
  const { t } = useTranslation();
  const over = useWindowTransfers();
  if (!over) return null;
  return (
    <div className={css.over} aria-hidden="true">
      <Seal size={84} />
      <span>{over.offer?.text ?? selectText(t, over.dragged)}</span>
      <small className={looks.said}>{over.offer?.note ?? t('drop.nothingSent')}</small>
    </div>
  );
}

function selectText(t: TFunction, dragged: Dragged): string {
  const count = fileCountOf(dragged);
  return count === null ? t('drop.selectAny') : t('drop.select', { count });
}

interface Over {
  readonly dragged: Dragged;
  readonly offer: DropOffer | null;
}

/** What is dragged over the window, and what becomes of it; null while nothing is. */
function useWindowTransfers(): Over | null {
  const { takeDropped } = useSelection();
  const go = useGo();
  const [over, setOver] = useState<Over | null>(null);
  // dragenter and dragleave come for every element on the way, so they are counted.
  const depth = useRef(0);

  useEffect(() => {
    const stopper = new AbortController();
    const on = <N extends keyof WindowEventMap>(name: N, handler: (event: WindowEventMap[N]) => void) =>
      window.addEventListener(name, handler, { signal: stopper.signal });
    const leave = () => {
      depth.current = 0;
      setOver(null);
    };
    const take = (transfer: DataTransfer) => {
      const dropped = readTransfer(transfer);
      if (dropped.files.length === 0) return;
      const offer = offerFor(draggedOf(transfer));
      if (offer?.take) return offer.take(dropped);
      go({ screen: 'start' });
      void takeDropped(dropped);
    };
    on('dragenter', (event) => {
      if (!event.dataTransfer || !hasFiles(event.dataTransfer)) return;
      event.preventDefault();
      depth.current += 1;
      if (depth.current > 1) return;
      const dragged = draggedOf(event.dataTransfer);
      setOver({ dragged, offer: offerFor(dragged) });
    });
    on('dragover', (event) => {
      // Otherwise the browser would open the file in place of the app.
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = hasFiles(event.dataTransfer) ? 'copy' : 'none';
    });
    on('dragleave', (event) => {
      if (!hasFiles(event.dataTransfer)) return;
      depth.current -= 1;
      if (depth.current <= 0) leave();
    });
    on('drop', (event) => {
      event.preventDefault();
      leave();
      if (event.dataTransfer) take(event.dataTransfer);
    });
    on('paste', (event) => {
      if (event.clipboardData && event.clipboardData.files.length > 0) {
        event.preventDefault();
        take(event.clipboardData);
      }
    });
    return () => stopper.abort();
  }, [takeDropped, go]);
  return over;
}

function hasFiles(transfer: DataTransfer | null): boolean {
  return transfer?.types.includes('Files') ?? false;
}
