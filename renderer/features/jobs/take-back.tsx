import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Countdown } from '../../../contract/jobs.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { useAnnounce } from '../../parts/announcer.tsx';
import { Button } from '../../parts/button.tsx';
import { useFormat, visibleName } from '../../parts/format.ts';
import { useGo } from '../../parts/navigation.tsx';
import { CallButton } from '../call-button.tsx';
import { useSelection } from '../files/selection.tsx';
import { useOpenForm } from './correct.tsx';
import { useJobs } from './jobs.tsx';

/** Jobs that one call dismisses. */
const atOnce = 500;
const tickMs = 250;

/** What a countdown is about: its job, or the first one and how many more. */
export function useCountdownName({ title, count }: Pick<Countdown, 'title' | 'count'>): string {
  const { t } = useTranslation();
  const format = useFormat();
  if (count === 1) return title;
  return t('jobs.andMore', { title: visibleName(title), count: count - 1, shown: format.number(count - 1) });
}

/** The countdown of a batch that nobody saw to its end, for a person to decide. */
export function useStopped(batchId: string): Countdown | undefined {
  return useJobs().view.queue.countdowns.find((one) => one.batchId === batchId && one.isStopped);
}

/** As `useCountdownTexts`, of the countdown of a batch that still runs. */
export function useCountdownOf(batchId: string): readonly string[] {
  const { countdowns } = useJobs().view.queue;
  return useCountdownTexts(countdowns.find((one) => one.batchId === batchId && !one.isStopped));
}

/** What a countdown means, and how long it goes on where that is known; nothing of what none keeps back. Whoever decides later is told again of a first sending in doubt, in few words where there is little room (`isShort`). */
export function useCountdownTexts(countdown: Countdown | undefined, isShort = false): readonly string[] {
  const { t } = useTranslation();
  const format = useFormat();
  const seconds = useSecondsLeft(countdown);
  if (!countdown) return [];
  const state = t(`jobs.pausedBy.${countdown.isStopped ? 'countdown-stopped' : 'countdown'}`);
  if (seconds !== null) return [state, format.secondsLeft(seconds)];
  const doubt = t(isShort ? 'jobs.corrects' : 'corrections.doubtText');
  return countdown.isStopped && countdown.isBesideDoubt ? [`${state} · ${doubt}`] : [state];
}

/** When each countdown that was published was first shown: whatever shows it later shows what is left by then. */
const shownAt = new WeakMap<Countdown, number>();

/** What is left of a countdown now; `leftMs` is what was left when it was published. */
function useSecondsLeft(countdown: Countdown | undefined): number | null {
  const [, setTick] = useState(0);
  const leftMs = countdown?.leftMs ?? null;
  const isCounted = leftMs !== null;
  useEffect(() => {
    if (!isCounted) return;
    const timer = setInterval(() => setTick((tick) => tick + 1), tickMs);
    return () => clearInterval(timer);
  }, [isCounted]);
  if (!countdown || leftMs === null) return null;
  const now = performance.now();
  const began = shownAt.get(countdown) ?? now;
  shownAt.set(countdown, began);
  return Math.max(0, leftMs - (now - began)) / 1_000;
}

/** Takes back what a countdown keeps back, and opens its form as it was; says if it was too late. */
export function useTakeBack(countdown: Countdown) {
  const { batchId, bulkId, isStopped } = countdown;
  const { t } = useTranslation();
  const go = useGo();
  const announce = useAnnounce();
  const { reopen } = useSelection();
  const openForm = useOpenForm();
  const take = useCall('jobs.takeBack');
  const dismiss = useCall('jobs.dismiss');

  async function takeBack() {
    const taken = await take.run({ batchId, isStopped });
    if (!taken.ok) return;
    const { jobIds, wereSentAgain } = taken.value;
    const [first] = jobIds;
    if (first === undefined) announce(t('jobs.tooLate'));
    // No form was sent, and its bulk or its registration has nothing to send again: what was in doubt stays so.
    if (first === undefined || wereSentAgain) go({ screen: 'jobs', batchId });
    else if (bulkId !== null) go({ screen: 'bulk', bulkId });
    else if (reopen(batchId)) {
      go({ screen: 'register' });
      // The form has them again: they are not sent a second time from the list.
      for (let from = 0; from < jobIds.length; from += atOnce)
        await dismiss.run({ jobIds: jobIds.slice(from, from + atOnce) });
    } else if (jobIds.length === 1) await openForm.open(first);
    else go({ screen: 'jobs', batchId });
  }

  return {
    takeBack: () => void takeBack(),
    busy: take.busy || openForm.busy,
    failure: take.failure ?? openForm.failure ?? dismiss.failure,
  };
}

/** Take back, and Send now. */
export function CountdownActions(props: { readonly countdown: Countdown }) {
  const { countdown } = props;
  const { t } = useTranslation();
  const name = useCountdownName(countdown);
  const back = useTakeBack(countdown);
  return (
    <>
      <Button of={name} isPending={back.busy} onPress={back.takeBack}>
        {t('jobs.takeBack')}
      </Button>
      <SendNow countdown={countdown} />
      {back.failure ? <FailureView failure={back.failure} calm /> : null}
    </>
  );
}

export function SendNow({ countdown }: { readonly countdown: Countdown }) {
  const { batchId, isStopped } = countdown;
  const { t } = useTranslation();
  const name = useCountdownName(countdown);
  return (
    <CallButton kind="quiet" of={name} call="jobs.sendNow" input={{ batchId, isStopped }} failed={{ calm: true }}>
      {t('jobs.sendNow')}
    </CallButton>
  );
}

/** Takes back one job of a batch; the others go on. */
export function TakeBackOne(props: { readonly jobId: string }) {
  const { t } = useTranslation();
  const announce = useAnnounce();
  return (
    <CallButton
      kind="quiet"
      call="jobs.takeBack"
      input={{ jobIds: [props.jobId] }}
      onDone={({ jobIds }) => (jobIds.length === 0 ? announce(t('jobs.tooLate')) : undefined)}
      failed={{ calm: true }}
    >
      {t('jobs.takeBack')}
    </CallButton>
  );
}
