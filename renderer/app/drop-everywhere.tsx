import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readTransfer } from '../features/dropped.ts';
import { useSelection } from '../features/selection.tsx';
import { useGo } from '../parts/navigation.tsx';
import { Seal } from '../parts/seal.tsx';
import css from './frame.module.css';

/** Accepts dropped and pasted files anywhere in the window. They are added to the selection; nothing is sent. */
export function DropEverywhere() {
  const { t } = useTranslation();
  const over = useWindowTransfers();
  return over ? (
    <div className={css.over} aria-hidden="true">
      <Seal />
      {t('app.dropAnywhere')}
      <small>{t('app.dropNothingSent')}</small>
    </div>
  ) : null;
}

/** True while files are dragged over the window. */
function useWindowTransfers(): boolean {
  const { takeDropped } = useSelection();
  const go = useGo();
  const [over, setOver] = useState(false);
  // dragenter and dragleave come for every element on the way, so they are counted.
  const depth = useRef(0);

  useEffect(() => {
    const stopper = new AbortController();
    const on = <N extends keyof WindowEventMap>(name: N, handler: (event: WindowEventMap[N]) => void) =>
      window.addEventListener(name, handler, { signal: stopper.signal });
    const leave = () => {
      depth.current = 0;
      setOver(false);
    };
    const take = (transfer: DataTransfer) => {
      const dropped = readTransfer(transfer);
      if (dropped.files.length === 0) return;
      go({ screen: 'start' });
      void takeDropped(dropped);
    };
    on('dragenter', (event) => {
      if (!hasFiles(event.dataTransfer)) return;
      event.preventDefault();
      depth.current += 1;
      setOver(true);
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
