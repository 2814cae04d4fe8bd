import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Preferences } from '../../../contract/app.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useLive } from '../../bridge/live.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { useLocked } from '../../bridge/use-policy.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { Page } from '../../parts/page.tsx';
import { AddressBookCard } from './address-book-card.tsx';
import { AppearanceCard, NotificationsCard, TrayCard } from './desktop-cards.tsx';
import { DiagnosticsCard } from './diagnostics-card.tsx';
import { OrganisationCard } from './organisation-card.tsx';
import css from './settings.module.css';
import { StorageCard } from './storage-card.tsx';
import { UpdatesCard } from './updates-card.tsx';
import { RefreshCard, TakeBackCard, WorkCard } from './work-cards.tsx';

/** What a person chose for this program, each choice in force at once, and what the program is and keeps here. */
export function SettingsScreen() {
  const { t } = useTranslation();
  const { preferences } = useLive().info;
  const prefer = useCall('app.setPreferences');
  const [resetting, setResetting] = useState(false);
  const locked = useLocked();
  const choices = { preferences, locked, set: (change: Partial<Preferences>) => void prefer.run(change) };
  return (
    <Page
      title={t('settings.title')}
      actions={<Button onPress={() => setResetting(true)}>{t('settings.reset')}</Button>}
    >
      {prefer.failure ? <FailureView failure={prefer.failure} /> : null}
      <div className={css.cards}>
        <div className={css.column}>
          <AppearanceCard {...choices} />
          <NotificationsCard {...choices} />
          <TrayCard {...choices} />
          <WorkCard {...choices} />
          <TakeBackCard {...choices} />
          <RefreshCard locked={locked} />
          <AddressBookCard />
        </div>
        <div className={css.column}>
          <OrganisationCard />
          <UpdatesCard />
          <DiagnosticsCard />
          <StorageCard />
        </div>
      </div>
      {resetting ? <ResetDialog onClose={() => setResetting(false)} /> : null}
    </Page>
  );
}

function ResetDialog(props: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const reset = useCall('app.resetPreferences');
  return (
    <Confirm
      title={t('settings.resetTitle')}
      confirm={t('settings.resetConfirm')}
      busy={reset.busy}
      onConfirm={() => void reset.run({}).then((done) => (done.ok ? props.onClose() : undefined))}
      onClose={props.onClose}
    >
      <p>{t('settings.resetText')}</p>
      {reset.failure ? <FailureView failure={reset.failure} /> : null}
    </Confirm>
  );
}
