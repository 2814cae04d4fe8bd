import { ChevronUp, CircleCheck } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../parts/format.ts';
import { lazyDialog } from '../../parts/lazy-part.tsx';
import looks from '../../parts/looks.module.css';
import { Hint } from '../../parts/overlays/hint.tsx';
import { pausedBulksText, useRunning } from './running.ts';
import css from './running-tasks.module.css';

const RunningList = lazyDialog(
  () => import('./running-list.tsx').then((file) => file.RunningList),
  (t) => t('tasks.heading'),
);

export const preloadRunningList = RunningList.preload;

/** Shows all that runs and can pause, stop or repeat it: a button in the status bar and on Home that opens the list. */
export function RunningTasks() {
  const { t } = useTranslation();
  const format = useFormat();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const running = useRunning();
  const { pausedBulks, count } = running;
  const waiting = running.waiting + running.onHold;
  const paused = pausedBulksText(t, format, pausedBulks);
  const isIdle = count + waiting === 0 && paused === null;
  const waits = waiting > 0 ? t('status.waiting', { count: waiting }) : (paused ?? t('tasks.idle'));
  const text = count > 0 ? t('tasks.running', { count }) : waits;
  return (
    <>
      <Hint text={text}>
        <Button
          ref={button}
          className={css.button ?? ''}
          aria-label={text}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          onPress={() => setOpen(true)}
        >
          {isIdle ? <CircleCheck aria-hidden="true" /> : <span className={looks.cut}>{text}</span>}
          <ChevronUp aria-hidden="true" />
        </Button>
      </Hint>
      {isOpen ? <RunningList button={button} running={running} isIdle={isIdle} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
