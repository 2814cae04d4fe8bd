import { useTranslation } from 'react-i18next';
import { mostAtOnce, mostWait } from '../../../contract/settings.ts';
import { useCurrentConnection, useLive } from '../../bridge/live.tsx';
import { cardMark } from '../../features/settings-cards.ts';
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
