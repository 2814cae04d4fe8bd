import { Hourglass, Pause } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { Countdown } from '../../contract/jobs.ts';
import { CountdownActions, useCountdownName, useCountdownTexts, useTakeBack } from '../features/jobs/take-back.tsx';
import { useAnnounce } from '../parts/announcer.tsx';
import { Button } from '../parts/button.tsx';
import { useLatest } from '../parts/hooks/use-latest.ts';
import { useNarrow } from '../parts/hooks/use-narrow.ts';
import { isShortcut } from '../parts/keys.ts';
import looks from '../parts/looks.module.css';
import { MiddleCut } from '../parts/middle-cut.tsx';
import { useGo } from '../parts/navigation.tsx';
import css from '../parts/strip.module.css';

/** Lines that leave room for the screen in a small window, and in one at 200 %. */
const [shown, shownInLow] = [3, 1];

/** A line for each batch that can be taken back, with the seconds that are left, the newest first. */
export function Countdowns(props: { readonly countdowns: readonly Countdown[]; readonly total: number }) {
  const { countdowns, total } = props;
  const { t } = useTranslation();
  const go = useGo();
  const isLow = useNarrow('(max-height: 30em)');
  const lines = countdowns.slice(0, isLow ? shownInLow : shown);
  return (
    <section className={`${css.countdowns} ${css.strip}`} aria-label={t('jobs.countdowns')}>
      <ul className={looks.grow}>
        {lines.map((countdown, index) => (
          <Line key={`${countdown.batchId} ${countdown.isStopped}`} countdown={countdown} hasShortcut={index === 0} />
        ))}
      </ul>
      {total > lines.length ? (
        <Button kind="quiet" onPress={() => go({ screen: 'jobs' })}>
          {t('jobs.showAll')}
        </Button>
      ) : null}
    </section>
  );
}

function Line(props: { readonly countdown: Countdown; readonly hasShortcut: boolean }) {
  const { countdown, hasShortcut } = props;
  const { isStopped } = countdown;
  const name = useCountdownName(countdown);
  const [state, left] = useCountdownTexts(countdown, useNarrow());
  const said = `${name}: ${[state, left].filter(Boolean).join(', ')}`;
  useSaidOnce(said, `countdown ${countdown.batchId}`, `${isStopped} ${countdown.count}`);
  useTakeBackKey(countdown, hasShortcut);
  return (
    <li className={css.line}>
      {isStopped ? <Pause aria-hidden="true" /> : <Hourglass aria-hidden="true" />}
      <span className={css.name}>
        <MiddleCut text={name} isSentence={countdown.count > 1} name={countdown.title} />
      </span>
      <span className={css.state}>
        {state}
        {/* Said once, when the line appears: a number that changes each second is for eyes. */}
        {left === undefined ? null : <span aria-hidden="true">{` · ${left}`}</span>}
      </span>
      <span className={looks.row}>
        <CountdownActions countdown={countdown} />
      </span>
    </li>
  );
}

/** Announces a text when its line appears and when `state` changes (it was stopped, a bulk added more), not with each second; nothing of it stays when the line goes. */
function useSaidOnce(text: string, topic: string, state: string): void {
  const announce = useAnnounce();
  const latest = useLatest(text);
  // biome-ignore lint/correctness/useExhaustiveDependencies: said again in another state
  useEffect(() => {
    announce(() => latest.current, topic);
    return () => announce('', topic);
  }, [announce, topic, state]);
}

/** The keys take back what was sent last. */
function useTakeBackKey(countdown: Countdown, isOn: boolean): void {
  const { takeBack } = useTakeBack(countdown);
  const latest = useLatest(takeBack);
  useEffect(() => {
    if (!isOn) return;
    const onKey = (event: KeyboardEvent) => {
      if (!isShortcut(event, 'takeBack')) return;
      event.preventDefault();
      latest.current();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [isOn]);
}
