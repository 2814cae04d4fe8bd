import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Bulk } from '../../../contract/bulk.ts';
import { requestsOf } from '../../features/bulks.ts';
import { useAnnounce } from '../../parts/announcer.tsx';
import { useFormat } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { Progress } from '../../parts/progress.tsx';
import css from './bulk.module.css';

/** Shortest time between two spoken reports, so that a screen reader can finish one. */
const spokenEveryMs = 15_000;

/** The state of a bulk, and how many of its requests have ended, by the ledger. */
export function BulkProgress(props: { readonly bulk: Bulk }) {
  const { bulk } = props;
  const { counts, state } = bulk;
  const { t } = useTranslation();
  const format = useFormat();
  const ended = counts.queued - counts.waiting;
  const total = requestsOf(bulk);
  const sent = t('bulk.sentOf', { sent: format.number(counts.done), count: total, total: format.number(total) });
  const others = (['inDoubt', 'refused', 'failed', 'cancelled'] as const).filter((key) => counts[key] > 0);
  const key = { inDoubt: 'in-doubt', refused: 'refused', failed: 'failed', cancelled: 'cancelled' } as const;
  useSpoken(
    [t(`bulk.bulkState.${state}`), sent, ...others.map((one) => countText(key[one], counts[one]))].join('. '),
    state,
  );
  function countText(name: (typeof key)[keyof typeof key], count: number) {
    return t(`bulk.counts.${name}`, { count, shown: format.number(count) });
  }
  return (
    <div className={css.progress}>
      <h2>{t(`bulk.bulkState.${state}`)}</h2>
      {counts.queued > 0 ? (
        <>
          <span
            className={looks.hint}
            title={t('bulk.pace', { count: counts.sentLastMinute, shown: format.number(counts.sentLastMinute) })}
          >
            {sent}
          </span>
          <Progress label={sent} done={ended} total={total} />
        </>
      ) : null}
    </div>
  );
}

/** Says a text politely when the state changes, and from time to time while it is sending. */
function useSpoken(text: string, state: Bulk['state']): void {
  const announce = useAnnounce();
  const latest = useRef(text);
  useEffect(() => {
    latest.current = text;
  });
  const before = useRef(state);
  useEffect(() => {
    if (before.current !== state) announce(latest.current);
    before.current = state;
    if (state !== 'sending') return;
    let said = latest.current;
    const timer = setInterval(() => {
      if (said !== latest.current) announce(latest.current);
      said = latest.current;
    }, spokenEveryMs);
    return () => clearInterval(timer);
  }, [state, announce]);
}
