import { VisuallyHidden } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import type { CallBudget } from '../../contract/budget.ts';
import type { TrackedList } from '../../contract/tracking.ts';
import { FailureView } from '../bridge/failure-view.tsx';
import { useCall } from '../bridge/use-call.ts';
import { useLocked } from '../bridge/use-policy.ts';
import { Checkbox } from '../parts/checkbox.tsx';
import { WholeNumberField } from '../parts/field.tsx';
import { useFormat } from '../parts/format.ts';
import { isUnread, useCallBudget, useCopyTime } from './signature-queries.ts';

/** How often lists of signature requests are read without being asked for; each choice is in force at once. */
export function AutoRefresh() {
  const { t } = useTranslation();
  const locked = useLocked();
  const budget = useCallBudget();
  const save = useCall('tracking.setBudget');
  const limits = budget ?? { perHour: 0, used: 0, isAutomatic: false };
  const set = (change: Partial<Pick<CallBudget, 'perHour' | 'isAutomatic'>>) => {
    const { perHour, isAutomatic } = { ...limits, ...change };
    if (budget && !Number.isNaN(perHour)) void save.run({ perHour, isAutomatic });
  };
  return (
    <>
      <Checkbox
        locked={locked('automaticCalls')}
        isSelected={limits.isAutomatic}
        isDisabled={budget === null}
        onChange={(isAutomatic) => set({ isAutomatic })}
      >
        {t('tracking.budgetAutomatic')}
      </Checkbox>
      <WholeNumberField
        label={t('tracking.budgetPerHour')}
        help={t('tracking.budgetUsed', { count: limits.used })}
        locked={locked('callsPerHour')}
        value={limits.perHour}
        onChange={(perHour) => set({ perHour })}
        min={1}
        max={3600}
      />
      {save.failure ? <FailureView failure={save.failure} /> : null}
    </>
  );
}

/** Of when the shown copies of these lists are, or of which there is none yet. */
export function useCopyText(lists: readonly TrackedList[], key: 'tracking.asOf' | 'tracking.listAsOf'): string | null {
  const { t } = useTranslation();
  const format = useFormat();
  const time = useCopyTime(lists);
  if (time !== null) return t(key, { time });
  if (lists.some(({ isRefreshing }) => isRefreshing)) return t('tracking.listLoading');
  const names = lists.filter(isUnread).map(({ name }) => t('common.quote', { text: name }));
  return names.length === 0
    ? null
    : t('tracking.whoState', { who: format.amounts(names), state: t('tracking.neverAsked') });
}

/** In the place of a number that is not known, as what it is counted from was never read. */
export function NotRead() {
  const { t } = useTranslation();
  return (
    <>
      <span aria-hidden="true">–</span>
      <VisuallyHidden elementType="span">{t('tracking.neverAsked')}</VisuallyHidden>
    </>
  );
}

/** That the automatic calls of this hour are used up, and when these lists are read by themselves again; null while they are not, or no reading is planned. */
export function useRestText(lists: readonly TrackedList[]): string | null {
  const { t } = useTranslation();
  const format = useFormat();
  const freeAt = useCallBudget()?.freeAt ?? null;
  const [nextAt] = lists.flatMap((list) => list.nextAt ?? []).sort();
  if (freeAt === null || nextAt === undefined) return null;
  return t('tracking.restsUntil', { time: format.momentInText(nextAt > freeAt ? nextAt : freeAt) });
}
