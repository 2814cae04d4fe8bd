import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Preferences } from '../../../contract/app.ts';
import { askValue } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useLive } from '../../bridge/live.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { useLocked } from '../../bridge/use-policy.ts';
import { AddressBook } from '../../features/address-book.tsx';
import { settingMark } from '../../features/setting-names.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { useFormat } from '../../parts/format.ts';
import { Card, Facts, Page } from '../../parts/page.tsx';
import { AppearanceCard, NotificationsCard, TrayCard } from './desktop-cards.tsx';
import { DiagnosticsCard } from './diagnostics-card.tsx';
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

/** Number of people, and the dialog with them. */
function AddressBookCard() {
  const { t } = useTranslation();
  const format = useFormat();
  const [isOpen, setOpen] = useState(false);
  const people = useQuery({ queryKey: ['people', 'count'], queryFn: () => askValue('people.list', { limit: 1 }) });
  const total = people.data?.total ?? 0;
  return (
    <Card title={t('settings.addressBook')} mark={settingMark('addressBook')}>
      <p className={css.help}>{t('people.count', { count: total, shown: format.number(total) })}</p>
      <div>
        <Button onPress={() => setOpen(true)}>{t('people.open')}</Button>
      </div>
      {isOpen ? <AddressBook onClose={() => setOpen(false)} /> : null}
    </Card>
  );
}

/** The organisation's policy: where it is, how much it sets, and what of it cannot be used. Nothing where there is none. */
function OrganisationCard() {
  const { t } = useTranslation();
  const { isPresent, source, locked, problems } = useLive().info.policy;
  if (!isPresent) return null;
  return (
    <Card title={t('settings.organisation')}>
      <p>{t('settings.policyLocks', { count: locked.length })}</p>
      <Facts facts={[[t('settings.policy'), <code key="source">{source}</code>]]} />
      {problems.length > 0 ? (
        <section aria-label={t('settings.policyProblems')}>
          <h3 className={css.problems}>{t('settings.policyProblems')}</h3>
          <ul className={css.help}>
            {problems.map(({ key, note }) => (
              <li key={`${key} ${note}`}>
                {/* English, for whoever writes the policy. */}
                <code dir="ltr">{`${key || t('settings.policyWhole')}: ${note}`}</code>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
    </Card>
  );
}
