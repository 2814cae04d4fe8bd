import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Bulk, type BulkFilter, bulkFilters } from '../../../contract/bulk.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { ListScreen } from '../../features/list/list-screen.tsx';
import { Button } from '../../parts/button.tsx';
import { Counters } from '../../parts/chip.tsx';
import { useFormat } from '../../parts/format.ts';
import { jobTones } from '../../parts/job-tones.ts';
import looks from '../../parts/looks.module.css';
import { visibleName } from '../../parts/visible-name.ts';
import { BulkActions } from './bulk-actions.tsx';
import { BulkProgress } from './bulk-progress.tsx';
import { BulkRows } from './bulk-rows.tsx';

const tones = {
  errors: { tone: 'remark', icon: 'pencil' },
  warnings: { tone: 'remark' },
  ready: { tone: 'info', icon: 'clock' },
  waiting: jobTones.waiting,
  done: jobTones.done,
  'in-doubt': jobTones['in-doubt'],
  refused: jobTones.refused,
  failed: jobTones.failed,
  cancelled: jobTones.cancelled,
} as const;

/** A checked spreadsheet: its progress, the next step, and every row with its problems or its answer. */
export function BulkView(props: { readonly bulk: Bulk; readonly onBack: () => void }) {
  const { bulk, onBack } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const [chosen, setChosen] = useState<BulkFilter>('all');
  const [isMending, setMending] = useState(false);
  const counts = countsOf(bulk);
  const shown = bulkFilters.filter((one) => one !== 'all').filter((one) => counts[one] > 0);
  const which = chosen === 'all' || counts[chosen] > 0 ? chosen : 'all';
  return (
    <ListScreen
      title={t('bulk.title')}
      back={{ text: t('app.backTo', { page: t('screens.bulk') }), go: onBack }}
      about={visibleName(bulk.fileName)}
      actions={<Button onPress={onBack}>{t('bulk.another')}</Button>}
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
          {shown.length > 1 || which !== 'all' ? (
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
                text: t(`bulk.counts.${key}`, { count: counts[key], shown: format.number(counts[key]) }),
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

/** Number of rows by filter: each row counts once. */
function countsOf({ counts, includeWarnings }: Bulk): Record<Exclude<BulkFilter, 'all'>, number> {
  return {
    errors: counts.withErrors,
    warnings: includeWarnings ? 0 : counts.withWarnings,
    ready: counts.ready + (includeWarnings ? counts.withWarnings : 0),
    waiting: counts.waiting,
    done: counts.done,
    'in-doubt': counts.inDoubt,
    refused: counts.refused,
    failed: counts.failed,
    cancelled: counts.cancelled,
  };
}

function Unrecognised(props: { readonly bulk: Bulk }) {
  const { t } = useTranslation();
  const format = useFormat();
  const headings = props.bulk.columns.flatMap(({ heading, column }) => (column === null && heading ? [heading] : []));
  if (headings.length === 0) return null;
  return <p className={looks.hint}>{t('bulk.notSent', { headings: format.list(headings) })}</p>;
}
