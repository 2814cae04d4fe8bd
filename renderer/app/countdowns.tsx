import { Hourglass, Pause } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Countdown } from '../../contract/jobs.ts';
import { CountdownActions, useCountdownName, useTakeBack } from '../features/jobs/take-back.tsx';
import { useAnnounce } from '../parts/announcer.tsx';
import { Button } from '../parts/button.tsx';
import { useFormat } from '../parts/format.ts';
import { useLatest } from '../parts/hooks/use-latest.ts';
import { useNarrow } from '../parts/hooks/use-narrow.ts';
import { isShortcut } from '../parts/keys.ts';
import looks from '../parts/looks.module.css';
import { MiddleCut } from '../parts/middle-cut.tsx';
import { useGo } from '../parts/navigation.tsx';
import css from '../parts/strip.module.css';

/** Lines that leave room for the screen in a small window, and in one at 200 %. */
const [shown, shownInLow] = [3, 1];
const tickMs = 250;

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
          <Line key={countdown.batchId} countdown={countdown} hasShortcut={index === 0} />
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
  const { t } = useTranslation();
  const format = useFormat();
  const name = useCountdownName(countdown);
  const seconds = useSecondsLeft(countdown.leftMs);
  const state = t(isStopped ? 'jobs.pausedBy.countdown-stopped' : 'jobs.pausedBy.countdown');
  const left = seconds === null ? null : format.secondsLeft(seconds);
  const said = `${name}: ${[state, left].filter((part) => part !== null).join(', ')}`;
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
        {left === null ? null : <span aria-hidden="true">{` · ${left}`}</span>}
      </span>
      <span className={looks.row}>
        <CountdownActions countdown={countdown} />
      </span>
    </li>
  );
}

/** What is left of a countdown now; `leftMs` is what was left when it was published. */
function useSecondsLeft(leftMs: number | null): number | null {
  const [passedMs, setPassed] = useState(0);
  useEffect(() => {
    if (leftMs === null) return;
    const began = performance.now();
    setPassed(0);
    const timer = setInterval(() => setPassed(performance.now() - began), tickMs);
    return () => clearInterval(timer);
  }, [leftMs]);
  return leftMs === null ? null : Math.max(0, leftMs - passedMs) / 1_000;
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
