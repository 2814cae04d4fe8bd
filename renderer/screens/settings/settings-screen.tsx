import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Preferences } from '../../../contract/app.ts';
import {
  type LogLevel,
  logLevels,
  type StoragePart,
  type StorageUsage,
  storageParts,
} from '../../../contract/diagnostics.ts';
import { mostAtOnce, mostWait } from '../../../contract/settings.ts';
import { askValue } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCurrentConnection, useLive } from '../../bridge/live.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { useLocked } from '../../bridge/use-policy.ts';
import { ConfirmedCall } from '../../features/confirmed-call.tsx';
import { AutoRefresh } from '../../features/list-readings.tsx';
import { AddressBook } from '../../features/people/address-book.tsx';
import { cardMark } from '../../features/settings-cards.ts';
import { SupportReport } from '../../features/support-report.tsx';
import { useAnnounce } from '../../parts/announcer.tsx';
import { Button } from '../../parts/button.tsx';
import { Choice } from '../../parts/choice.tsx';
import { WholeNumberField } from '../../parts/field.tsx';
import { useFormat } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { Card, Facts, Page } from '../../parts/page.tsx';
import { AppearanceCard, type Choices, NotificationsCard, TrayCard, UpdatesCard } from './cards.tsx';
import css from './settings.module.css';

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
        <ConfirmedCall
          call="app.resetPreferences"
          input={{}}
          text={t('settings.reset')}
          title={t('settings.resetTitle')}
          confirm={t('settings.resetConfirm')}
        >
          <p>{t('settings.resetText')}</p>
        </ConfirmedCall>
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
      <p className={looks.hint}>{t('people.count', format.counted(total))}</p>
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

/** Shown before the folder is measured, and when empty: the card does not grow when the numbers arrive. */
const always: readonly StoragePart[] = ['database', 'copies', 'logs'];
const storageKey = ['storage'] as const;

/** What the program keeps on this computer, and where. Only logs can be removed here: everything else is still needed. */
function StorageCard() {
  const { t } = useTranslation();
  const announce = useAnnounce();
  const queries = useQueryClient();
  const { data, error } = useQuery({ queryKey: storageKey, queryFn: () => askValue('storage.usage', {}) });
  const show = useCall('storage.showFolder');
  const failure = error?.failure ?? show.failure;
  return (
    <Card title={t('settings.storage')} mark={cardMark('storage')}>
      <Sizes usage={data} />
      <div className={looks.line3}>
        <Button onPress={() => void show.run({})}>{t('settings.openFolder')}</Button>
        <ConfirmedCall
          danger
          isDisabled={!data?.bytes.logs}
          call="storage.clearLogs"
          input={{}}
          text={t('settings.clearLogs')}
          onDone={(usage) => {
            queries.setQueryData(storageKey, usage);
            announce(t('settings.logsCleared'));
          }}
        >
          <p>{t('settings.clearLogsText')}</p>
        </ConfirmedCall>
      </div>
      {failure ? <FailureView failure={failure} /> : null}
    </Card>
  );
}

function Sizes({ usage }: { readonly usage: StorageUsage | undefined }) {
  const { t } = useTranslation();
  const format = useFormat();
  const sizeOf = (part: StoragePart) => {
    if (!usage) return '…';
    const size = format.bytes(usage.bytes[part]);
    return usage.isComplete ? size : t('settings.atLeast', { size });
  };
  const shown = storageParts.filter((part) => always.includes(part) || usage?.bytes[part]);
  return (
    <Facts
      facts={[
        ...shown.map((part) => [t(`settings.parts.${part}`), sizeOf(part)] as const),
        [t('settings.folder'), usage?.folder ?? '…'],
      ]}
    />
  );
}

/** How many files are sent at the same time. The connection's own limit is named, because the smaller of the two holds. */
function WorkCard({ preferences, set, locked }: Choices) {
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
function TakeBackCard({ preferences, set, locked }: Choices) {
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
