import { useTranslation } from 'react-i18next';
import { useJobs } from '../features/jobs/jobs.tsx';
import { Button } from '../parts/button.tsx';
import { lazyPart } from '../parts/lazy-part.tsx';
import css from '../parts/strip.module.css';

const Countdowns = lazyPart(() => import('./countdowns.tsx').then((file) => file.Countdowns), {
  waiting: null,
  failed: (_props, _error, again) => <NotLoaded again={again} />,
});

export const preloadCountdowns = Countdowns.preload;

/** What can be taken back before it is sent, on every screen above the status bar. `runningOnly`: those that were stopped stand elsewhere. */
export function CountdownStrip(props: { readonly runningOnly: boolean }) {
  const { countdowns, countdownCount } = useJobs().view.queue;
  const shown = props.runningOnly ? countdowns.filter(({ isStopped }) => !isStopped) : countdowns;
  const total = countdownCount - (countdowns.length - shown.length);
  return total > 0 ? <Countdowns countdowns={shown} total={total} /> : null;
}

function NotLoaded(props: { readonly again: () => void }) {
  const { t } = useTranslation();
  return (
    <p className={`${css.countdowns} ${css.strip}`} role="alert">
      {t('jobs.pausedBy.countdown')} <Button onPress={props.again}>{t('common.tryAgain')}</Button>
    </p>
  );
}
