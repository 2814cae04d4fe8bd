import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallBudget } from '../../../contract/tracking.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { Button } from '../../parts/button.tsx';
import { Checkbox } from '../../parts/checkbox.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { WholeNumberField } from '../../parts/field.tsx';

/** Sets the limit of automatic calls. */
export function BudgetDialog(props: { readonly budget: CallBudget; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const [perHour, setPerHour] = useState(props.budget.perHour);
  const [isAutomatic, setAutomatic] = useState(props.budget.isAutomatic);
  const save = useCall('tracking.setBudget');
  return (
    <Dialog
      title={t('tracking.budgetTitle')}
      onClose={props.onClose}
      confirm={
        <Button
          kind="primary"
          isPending={save.busy}
          onPress={() =>
            void save.run({ perHour, isAutomatic }).then((saved) => (saved.ok ? props.onClose() : undefined))
          }
        >
          {t('tracking.budgetSave')}
        </Button>
      }
    >
      <p>{t('tracking.budgetText')}</p>
      <Checkbox isSelected={isAutomatic} onChange={setAutomatic}>
        {t('tracking.budgetAutomatic')}
      </Checkbox>
      <WholeNumberField
        label={t('tracking.budgetPerHour')}
        help={t('tracking.budgetUsed', { count: props.budget.used })}
        value={perHour}
        onChange={(value) => setPerHour(Number.isNaN(value) ? 1 : value)}
        min={1}
        max={3600}
      />
      {save.failure ? <FailureView failure={save.failure} /> : null}
    </Dialog>
  );
}
