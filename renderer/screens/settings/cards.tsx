import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Preferences, UpdateState } from '../../../contract/app.ts';
import { languages } from '../../../contract/languages.ts';
import { themes } from '../../../contract/settings.ts';
import { ask, listen } from '../../bridge/client.ts';
import { useLive } from '../../bridge/live.tsx';
import { readTold } from '../../bridge/read-told.ts';
import { useCall } from '../../bridge/use-call.ts';
import type { useLocked } from '../../bridge/use-policy.ts';
import { RestartButton } from '../../features/call-button.tsx';
import { cardMark } from '../../features/settings-cards.ts';
import { Button } from '../../parts/button.tsx';
import { Checkbox } from '../../parts/checkbox.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Segments } from '../../parts/field.tsx';
import { useFormat } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { Card } from '../../parts/page.tsx';

/** The version, and how it is replaced by a newer one: by the program itself, or why not and by what else. */
export function UpdatesCard() {
  const { t } = useTranslation();
  const { version, installation } = useLive().info;
  const state = useUpdateState();
  const off = state?.offReason ?? null;
  return (
    <Card title={t('settings.updates')} mark={cardMark('updates')}>
      <p>{t('settings.version', { version })}</p>
      {state && state.stage !== 'off' ? <Automatic state={state} /> : null}
      {off !== null && isOfSettings(off) ? <p>{t(`settings.update.off.${off}`)}</p> : null}
      {/* Most programs are updated by something else: as long as that is not known, its place is kept, so that nothing below jumps. */}
      {state === null || off !== null ? (
        <p className={looks.hint} style={state === null ? { visibility: 'hidden' } : undefined}>
          {t(`settings.installed.${installation}`)}
        </p>
      ) : null}
    </Card>
  );
}

/** The other reasons say what installed the program, which the card says anyway. */
const ofSettings = ['no-feed', 'no-key', 'policy', 'policy-broken', 'not-replaceable'] as const;
const isOfSettings = (reason: string): reason is (typeof ofSettings)[number] =>
  ofSettings.some((one) => one === reason);

function Automatic({ state }: { readonly state: UpdateState }) {
  const { t } = useTranslation();
  const format = useFormat();
  const check = useCall('updates.check');
  const { stage, receivedBytes, totalBytes, lastCheckedAt, problem } = state;
  const version = state.version ?? '';
  const isCurrent = stage === 'idle' && problem === null && lastCheckedAt !== null;
  return (
    <>
      <div role="status">
        {stage === 'checking' ? <p>{t('settings.update.checking')}</p> : null}
        {stage === 'available' ? <p>{t('settings.update.available', { version })}</p> : null}
        {stage === 'ready' ? <p>{t('settings.update.ready', { version })}</p> : null}
        {isCurrent ? <p>{t('settings.update.current')}</p> : null}
        {problem === null ? null : <p>{t(`settings.update.problem.${problem}`)}</p>}
      </div>
      {stage === 'downloading' ? (
        <p>
          {t('settings.update.downloading', {
            version,
            done: format.bytes(receivedBytes),
            total: format.bytes(totalBytes),
          })}
        </p>
      ) : null}
      <p className={looks.hint}>
        {lastCheckedAt === null
          ? t('settings.update.never')
          : t('settings.update.checked', { when: format.momentInText(lastCheckedAt) })}
      </p>
      <div className={looks.line3}>
        {stage === 'ready' ? (
          <RestartButton />
        ) : (
          <Button isDisabled={stage !== 'idle'} onPress={() => void check.run({})}>
            {t('settings.update.checkNow')}
          </Button>
        )}
      </div>
    </>
  );
}

/** The state of the core; null until it is known. */
function useUpdateState(): UpdateState | null {
  const [state, setState] = useState<UpdateState | null>(null);
  useEffect(() => {
    let isStopped = false;
    const stop = listen('updates.changed', setState);
    const read = () => ask('updates.state', {});
    void readTold(read, { 'updates.changed': (_, value) => ({ ok: true as const, value }) }).then((answer) => {
      if (answer.ok && !isStopped) setState(answer.value);
    });
    return () => {
      isStopped = true;
      stop();
    };
  }, []);
  return state;
}

/** The preferences, and what changes some of them. */
export interface Choices {
  readonly preferences: Preferences;
  readonly set: (change: Partial<Preferences>) => void;
  /** Why a setting cannot be changed; undefined if it can. */
  readonly locked: ReturnType<typeof useLocked>;
}

export function AppearanceCard({ preferences, set, locked }: Choices) {
  const { t } = useTranslation();
  return (
    <Card title={t('settings.appearance')}>
      <div {...cardMark('theme')}>
        <Segments
          label={t('settings.theme')}
          locked={locked('theme')}
          value={preferences.theme}
          onChange={(theme) => set({ theme })}
          choices={themes.map((key) => ({ key, text: t(`settings.themes.${key}`) }))}
        />
      </div>
      <div {...cardMark('language')}>
        <Choice
          label={t('settings.language')}
          locked={locked('language')}
          value={preferences.language}
          onChange={(language) => set({ language })}
          choices={[
            { key: 'system', text: t('settings.systemLanguage') },
            ...Object.entries(languages).map(([key, text]) => ({ key, text })),
          ]}
        />
      </div>
    </Card>
  );
}

export function NotificationsCard({ preferences, set, locked }: Choices) {
  const { t } = useTranslation();
  return (
    <Card title={t('settings.notifications')} mark={cardMark('notifications')}>
      <Checkbox
        locked={locked('notifications')}
        isSelected={preferences.notifications}
        onChange={(notifications) => set({ notifications })}
      >
        {t('settings.notify')}
      </Checkbox>
    </Card>
  );
}

/** Where the system has no tray, the card says so instead of offering one. */
export function TrayCard({ preferences, set, locked }: Choices) {
  const { t } = useTranslation();
  const { hasTray } = useLive().info;
  if (!hasTray)
    return (
      <Card title={t('settings.tray')} mark={cardMark('tray')}>
        <p className={looks.hint}>{t('settings.noTray')}</p>
      </Card>
    );
  return (
    <Card title={t('settings.tray')} mark={cardMark('tray')}>
      <Checkbox locked={locked('tray')} isSelected={preferences.tray} onChange={(tray) => set({ tray })}>
        {t('settings.trayIcon')}
      </Checkbox>
      <Checkbox
        locked={locked('closeToTray')}
        isSelected={preferences.tray && preferences.closeToTray}
        isDisabled={!preferences.tray}
        onChange={(closeToTray) => set({ closeToTray })}
      >
        {t('settings.closeToTray')}
      </Checkbox>
    </Card>
  );
}
