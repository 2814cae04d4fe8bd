import { useTranslation } from 'react-i18next';
import type { CallBudget } from '../../../contract/budget.ts';
import { mostAtOnce, mostWait } from '../../../contract/settings.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCurrentConnection, useLive } from '../../bridge/live.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { cardMark } from '../../features/settings-cards.ts';
import { useCallBudget } from '../../features/signature-queries.ts';
import { Checkbox } from '../../parts/checkbox.tsx';
import { WholeNumberField } from '../../parts/field.tsx';
import { Card } from '../../parts/page.tsx';
import type { Choices } from './desktop-cards.tsx';

/** How many files are sent at the same time. The connection's own limit is named, because the smaller of the two holds. */
export function WorkCard({ preferences, set, locked }: Choices) {
  const { t } = useTranslation();
  const { name, parallel, doubtLimit } = useCurrentConnection();
  // No more go out than may end without an answer before sending is held.
  const count = Math.min(parallel, doubtLimit);
  return (
    <Card title={t('settings.work')} mark={cardMark('work')}>
      <WholeNumberField
        label={t('settings.atOnce')}
        help={t('settings.allowed', { connection: name, count })}
        locked={locked('atOnce')}
        value={preferences.atOnce}
        onChange={(atOnce) => (Number.isNaN(atOnce) ? undefined : set({ atOnce }))}
        min={1}
        max={mostAtOnce}
      />
    </Card>
  );
}

/** How long something can be taken back before it is sent. */
export function TakeBackCard({ preferences, set, locked }: Choices) {
  const { t } = useTranslation();
  const { policy } = useLive().info;
  return (
    <Card title={t('settings.takeBack')} mark={cardMark('takeBack')}>
      {(['requestWait', 'registerWait'] as const).map((name) => {
        const seconds = policy[`${name}AtLeast`];
        return (
          <WholeNumberField
            key={name}
            label={t(`settings.${name}`)}
            help={seconds > 0 ? t('settings.waitAtLeast', { seconds }) : t('settings.waitHelp')}
            locked={locked(name)}
            value={preferences[name]}
            onChange={(value) => (Number.isNaN(value) ? undefined : set({ [name]: value }))}
            min={seconds}
            max={mostWait}
          />
        );
      })}
    </Card>
  );
}

/** How often lists of signature requests are read without being asked for. */
export function RefreshCard({ locked }: Pick<Choices, 'locked'>) {
  const { t } = useTranslation();
  const budget = useCallBudget();
  const save = useCall('tracking.setBudget');
  const limits = budget ?? { perHour: 0, used: 0, isAutomatic: false };
  const set = (change: Partial<Pick<CallBudget, 'perHour' | 'isAutomatic'>>) => {
    const { perHour, isAutomatic } = { ...limits, ...change };
    if (budget && !Number.isNaN(perHour)) void save.run({ perHour, isAutomatic });
  };
  return (
    <Card title={t('tracking.budgetTitle')} mark={cardMark('refresh')}>
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
    </Card>
  );
}
