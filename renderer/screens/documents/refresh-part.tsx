import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { Connection } from '../../../contract/connections.ts';
import type { StatusRefresh } from '../../../contract/documents.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useTask } from '../../bridge/use-task.ts';
import { useCallBudget } from '../../features/signature-queries.ts';
import { useTransfers } from '../../features/transfers.tsx';
import { Button } from '../../parts/button.tsx';
import { useFormat } from '../../parts/format.ts';
import { Progress } from '../../parts/progress.tsx';
import css from './documents.module.css';

/** Asks the statuses of all documents that are not completed, with what that may cost in calls and what came of it. */
export function RefreshPart(props: { readonly connection: Connection }) {
  const { connection } = props;
  const { t } = useTranslation();
  const { refreshes, tellRefresh, dismiss } = useTransfers();
  const start = useTask('documents.refreshStatuses');
  const stop = useTask('documents.stopRefresh');
  const refresh = refreshes.get(connection.id);
  const isRunning = refresh?.state === 'running';
  const failure = start.failure ?? stop.failure ?? (refresh?.state === 'failed' ? refresh.failure : null);
  return (
    <>
      <div className={css.refresh}>
        <Button
          isPending={start.busy}
          isDisabled={isRunning}
          onPress={() =>
            void start
              .run({ connectionId: connection.id })
              .then((begun) => (begun.ok ? tellRefresh(begun.value) : null))
          }
        >
          {t('documents.refreshStatuses')}
        </Button>
        {refresh ? <span role="status">{refreshText(t, refresh)}</span> : null}
        {refresh && isRunning ? (
          <>
            <span className={css.refreshBar}>
              <Progress label={t('documents.refreshStatuses')} done={refresh.askedCount} total={refresh.total} />
            </span>
            <Button kind="quiet" onPress={() => void stop.run({ refreshId: refresh.refreshId })}>
              {t('documents.stop')}
            </Button>
          </>
        ) : null}
        {refresh && !isRunning ? (
          <Button kind="quiet" onPress={() => dismiss(refresh.refreshId)}>
            {t('documents.dismiss')}
          </Button>
        ) : null}
        <BudgetText />
      </div>
      {failure ? <FailureView failure={failure} calm /> : null}
    </>
  );
}

function BudgetText() {
  const { t } = useTranslation();
  const format = useFormat();
  const budget = useCallBudget();
  if (!budget) return null;
  const parts = [
    t('documents.budget', { used: format.number(budget.used), perHour: format.number(budget.perHour) }),
    budget.freeAt ? t('documents.budgetFree', { time: format.time(budget.freeAt) }) : null,
  ];
  return (
    <span className={css.budget} title={t('documents.budgetTip')}>
      {parts.filter((part) => part !== null).join(' · ')}
    </span>
  );
}

function refreshText(t: TFunction, refresh: StatusRefresh): string {
  const { askedCount: asked, changedCount: changed, total, failedCount } = refresh;
  const silent = failedCount > 0 ? ` · ${t('documents.refreshFailures', { count: failedCount })}` : '';
  if (refresh.state === 'running') return t('documents.refreshing', { asked, changed, total }) + silent;
  if (refresh.state === 'out-of-budget') return t('documents.refreshBudget', { asked, total }) + silent;
  if (refresh.state === 'stopped' || refresh.state === 'failed')
    return t('documents.refreshStopped', { asked, total }) + silent;
  return total === 0 ? t('documents.refreshNothing') : t('documents.refreshDone', { asked, changed }) + silent;
}
