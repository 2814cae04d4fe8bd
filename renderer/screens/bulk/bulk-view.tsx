import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Bulk, type BulkFilter, bulkFilters } from '../../../contract/bulk.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { countsOf, useBulkState, useIsHeld, useRowTexts } from '../../features/jobs/bulks.ts';
import { ListScreen } from '../../features/list/list-screen.tsx';
import { useAnnounce } from '../../parts/announcer.tsx';
import { Button } from '../../parts/button.tsx';
import { Counters } from '../../parts/chip.tsx';
import { useFormat, visibleName } from '../../parts/format.ts';
import { useLatest } from '../../parts/hooks/use-latest.ts';
import looks from '../../parts/looks.module.css';
import { Progress } from '../../parts/progress.tsx';
import { heldTone, jobTones } from '../../parts/status-chip.tsx';
import css from './bulk.module.css';
import { BulkActions } from './bulk-actions.tsx';
import { BulkRows } from './bulk-rows.tsx';

const tones = {
  errors: { tone: 'remark', icon: 'pencil' },
  warnings: { tone: 'remark' },
  before: { tone: 'remark' },
  ready: { tone: 'info', icon: 'clock' },
  asking: heldTone,
  ...jobTones,
} as const;

/** A checked spreadsheet: its progress, the next step, and every row with its problems or its answer. */
export function BulkView(props: {
  readonly bulk: Bulk;
  readonly onBack: () => void;
  /** Starts with an empty page. */
  readonly onAnother: () => void;
}) {
  const { bulk, onBack } = props;
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<BulkFilter>('all');
  const [isMending, setMending] = useState(false);
  const [counts, textOf] = [countsOf(bulk), useChipTexts(bulk)];
  const shown = bulkFilters.filter((one) => one !== 'all').filter((one) => counts[one] > 0);
  const which = chosen === 'all' || counts[chosen] > 0 ? chosen : 'all';
  return (
    <ListScreen
      title={t('bulk.title')}
      back={{ text: t('app.backTo', { page: t('screens.bulk') }), go: onBack }}
      about={visibleName(bulk.fileName)}
      actions={<Button onPress={props.onAnother}>{t('bulk.another')}</Button>}
      head={
        <>
          <div className={`${looks.line3} ${looks.between}`}>
            <BulkProgress bulk={bulk} />
            <BulkActions
              bulk={bulk}
              onMend={() => {
                setChosen('errors');
                setMending(true);
              }}
            />
          </div>
          {bulk.failure ? <FailureView failure={bulk.failure} /> : null}
          {shown.length > 1 || which !== 'all' || ['warnings', 'before'].includes(shown[0] ?? '') ? (
            <Counters
              label={t('bulk.state')}
              selected={which === 'all' ? null : which}
              onSelect={(key) => {
                setMending(false);
                setChosen(key ?? 'all');
              }}
              counters={shown.map((key) => ({
                key,
                ...tones[key],
                text: textOf(key),
              }))}
            />
          ) : null}
          <Unrecognised bulk={bulk} />
        </>
      }
      panel={null}
    >
      <BulkRows key={bulk.id} bulk={bulk} which={which} isMending={isMending} onMending={setMending} />
    </ListScreen>
  );
}

function useChipTexts(bulk: Bulk) {
  const { t } = useTranslation();
  const format = useFormat();
  const [counts, isHeld] = [countsOf(bulk), useIsHeld()(bulk)];
  return (key: Exclude<BulkFilter, 'all'>) => {
    if (key === 'asking') return t('jobs.askingHeading', { count: counts.asking });
    return t(key === 'waiting' && isHeld ? 'bulk.counts.held' : `bulk.counts.${key}`, format.counted(counts[key]));
  };
}

function Unrecognised(props: { readonly bulk: Bulk }) {
  const { t } = useTranslation();
  const format = useFormat();
  const isUnknown = ({ heading, column, partOf }: Bulk['columns'][number]) => column === null && !partOf && heading;
  const headings = props.bulk.columns.filter(isUnknown).map(({ heading }) => heading);
  if (headings.length === 0) return null;
  return <p className={looks.hint}>{t('bulk.notSent', { headings: format.list(headings) })}</p>;
}

/** Shortest time between two spoken reports, so that a screen reader can finish one. */
const spokenEveryMs = 15_000;

/** The state of a bulk, and how many of its requests have ended, by the ledger. */
function BulkProgress({ bulk }: { readonly bulk: Bulk }) {
  const { counts, state } = bulk;
  const { t } = useTranslation();
  const format = useFormat();
  const heading = useBulkState()(bulk);
  const ended = counts.queued - counts.waiting;
  const [sent, ...others] = useRowTexts()(bulk);
  useSpoken([heading, sent, ...others].join('. '), state);
  return (
    <div className={css.progress}>
      <h2>{heading}</h2>
      {counts.queued > 0 ? (
        <>
          <span className={looks.hint} title={t('bulk.pace', format.counted(counts.sentLastMinute))}>
            {sent}
          </span>
          <Progress label={sent} done={ended} total={bulk.rowCount} />
        </>
      ) : null}
    </div>
  );
}

/** Says a text politely when the state changes, and from time to time while it is sending. */
function useSpoken(text: string, state: Bulk['state']): void {
  const announce = useAnnounce();
  const latest = useLatest(text);
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
