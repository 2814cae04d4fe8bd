import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Preferences } from '../../../contract/app.ts';
import { type LogLevel, logLevels } from '../../../contract/diagnostics.ts';
import { askValue } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useLive } from '../../bridge/live.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { useLocked } from '../../bridge/use-policy.ts';
import { AskedCall } from '../../features/asked-call.tsx';
import { AutoRefresh } from '../../features/auto-refresh.tsx';
import { AddressBook } from '../../features/people/address-book.tsx';
import { cardMark } from '../../features/settings-cards.ts';
import { SupportReport } from '../../features/support-report.tsx';
import { Button } from '../../parts/button.tsx';
import { Choice } from '../../parts/choice.tsx';
import { useFormat } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { Card, Facts, Page } from '../../parts/page.tsx';
import { AppearanceCard, NotificationsCard, TrayCard } from './desktop-cards.tsx';
import css from './settings.module.css';
import { StorageCard } from './storage-card.tsx';
import { UpdatesCard } from './updates-card.tsx';
import { TakeBackCard, WorkCard } from './work-cards.tsx';

/** What a person chose for this program, each choice in force at once, and what the program is and keeps here. */
export function SettingsScreen() {
  const { t } = useTranslation();
  const { preferences } = useLive().info;
  const prefer = useCall('app.setPreferences');
  const choices = { preferences, locked: useLocked(), set: (change: Partial<Preferences>) => void prefer.run(change) };
  return (
    <Page
      title={t('settings.title')}
      actions={
        <AskedCall
          call="app.resetPreferences"
          input={{}}
          text={t('settings.reset')}
          title={t('settings.resetTitle')}
          confirm={t('settings.resetConfirm')}
        >
          <p>{t('settings.resetText')}</p>
        </AskedCall>
      }
    >
      {prefer.failure ? <FailureView failure={prefer.failure} /> : null}
      <div className={css.cards}>
        <div className={looks.stack4}>
          <AppearanceCard {...choices} />
          <NotificationsCard {...choices} />
          <TrayCard {...choices} />
          <WorkCard {...choices} />
          <TakeBackCard {...choices} />
          <Card title={t('tracking.budgetTitle')} mark={cardMark('refresh')}>
            <AutoRefresh />
          </Card>
          <AddressBookCard />
        </div>
        <div className={looks.stack4}>
          <OrganisationCard />
          <UpdatesCard />
          <DiagnosticsCard />
          <StorageCard />
        </div>
      </div>
    </Page>
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
    <Card title={t('settings.addressBook')} mark={cardMark('addressBook')}>
      <p className={looks.hint}>{t('people.count', { count: total, shown: format.number(total) })}</p>
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
          <h3>{t('settings.policyProblems')}</h3>
          <ul className={looks.hint}>
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

/** Makes a report for support, which is looked at before it is saved, and sets how much the log holds. */
function DiagnosticsCard() {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <Card title={t('settings.diagnostics')} mark={cardMark('diagnostics')}>
      <p className={looks.hint}>{t('settings.diagnosticsText')}</p>
      <div className={looks.line3}>
        <Button onPress={() => setOpen(true)}>{t('settings.createReport')}</Button>
      </div>
      <LogChoice />
      {isOpen ? <SupportReport onClose={() => setOpen(false)} /> : null}
    </Card>
  );
}

function LogChoice() {
  const { t } = useTranslation();
  const format = useFormat();
  const { level, until } = useLive().info.log;
  const set = useCall('diagnostics.setLogLevel');
  return (
    <>
      <Choice
        label={t('settings.log')}
        value={level}
        onChange={(chosen) => void set.run({ level: chosen as LogLevel })}
        choices={logLevels.map((key) => ({ key, text: t(`settings.logLevels.${key}`) }))}
      />
      {until ? <p className={looks.hint}>{t('settings.logUntil', { time: format.momentInText(until) })}</p> : null}
      {set.failure ? <FailureView failure={set.failure} /> : null}
    </>
  );
}
