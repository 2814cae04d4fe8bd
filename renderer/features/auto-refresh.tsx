import { useTranslation } from 'react-i18next';
import type { CallBudget } from '../../contract/budget.ts';
import { FailureView } from '../bridge/failure-view.tsx';
import { useCall } from '../bridge/use-call.ts';
import { useLocked } from '../bridge/use-policy.ts';
import { Checkbox } from '../parts/checkbox.tsx';
import { WholeNumberField } from '../parts/field.tsx';
import { useCallBudget } from './signature-queries.ts';

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
