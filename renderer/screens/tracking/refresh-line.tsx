import { CloudOff } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TrackedList, TrackingState } from '../../../contract/tracking.ts';
import { failureText } from '../../bridge/failure-text.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useTask } from '../../bridge/use-task.ts';
import { Button } from '../../parts/button.tsx';
import { Fold } from '../../parts/fold.tsx';
import { useFormat } from '../../parts/format.ts';
import { BudgetDialog } from './budget-dialog.tsx';
import css from './signatures.module.css';

/** How many, of when, and the way to ask again; while the service is not reachable the last copy says so. */
export function RefreshLine(props: {
  readonly state: TrackingState;
  readonly list: TrackedList | null;
  readonly total: number | null;
  readonly documents: number | null;
}) {
  const { state, list } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const refresh = useTask('tracking.refresh');
  const look = useTask('tracking.look');
  const [budget, setBudget] = useState(false);
  const lists = list ? [list] : state.lists;
  // Of several lists the oldest copy counts.
  const asOf = lists.some((one) => one.asOf === null) ? null : (lists.map((one) => one.asOf ?? '').sort()[0] ?? null);
  const isRefreshing = lists.some((one) => one.isRefreshing);
  const failed = lists.find((one) => one.failure !== null) ?? null;
  const marks = lists.reduce((sum, one) => sum + one.newCount + one.movedCount, 0);
  const nil = lists.reduce((sum, one) => sum + one.nilEntries, 0);
  const { connectionId } = state;
  // All lists are asked, so that what moves from one to another is seen to move.
  const scope = { connectionId, ...(list ? { listType: list.listType } : {}) };
  const parts = [
    props.total === null ? null : t('tracking.entries', { count: props.total, shown: format.number(props.total) }),
    props.documents === null
      ? null
      : t('tracking.documents', { count: props.documents, shown: format.number(props.documents) }),
    asOf ? t('tracking.asOf', { time: format.momentInText(asOf) }) : t('tracking.neverAsked'),
    nil > 0 ? t('tracking.nil', { count: nil }) : null,
  ];
  return (
    <>
      <div className={css.about}>
        <span role="status" title={asOf ? format.fullMoment(asOf) : undefined}>
          {parts.filter((part) => part !== null).join(' · ')}
        </span>
        <Button kind="quiet" isPending={isRefreshing} onPress={() => void refresh.run({ connectionId })}>
          {isRefreshing ? t('tracking.refreshing') : t('tracking.refresh')}
        </Button>
        <Button kind="quiet" onPress={() => setBudget(true)}>
          {t('tracking.budgetButton')}
        </Button>
        {marks > 0 ? (
          <Button kind="quiet" onPress={() => void look.run(scope)}>
            {t('tracking.seen', { count: marks })}
          </Button>
        ) : null}
      </div>
      {refresh.failure ? <FailureView failure={refresh.failure} calm /> : null}
      {failed?.failure ? (
        <div className={css.offline} role="status">
          <CloudOff aria-hidden="true" />
          <div>
            <p>
              {asOf
                ? t('tracking.offline', { time: format.momentInText(asOf) })
                : t('tracking.offlineNoCopy', { list: failed.name })}
            </p>
            <Fold label={failureText(t, failed.failure).heading}>
              <FailureView failure={failed.failure} calm />
            </Fold>
          </div>
        </div>
      ) : null}
      {budget ? <BudgetDialog budget={state.budget} onClose={() => setBudget(false)} /> : null}
    </>
  );
}
