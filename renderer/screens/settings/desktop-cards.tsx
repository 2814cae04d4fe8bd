import { useTranslation } from 'react-i18next';
import type { Preferences } from '../../../contract/app.ts';
import { languages } from '../../../contract/languages.ts';
import { themes } from '../../../contract/settings.ts';
import { useLive } from '../../bridge/live.tsx';
import type { useLocked } from '../../bridge/use-policy.ts';
import { cardMark } from '../../features/settings-cards.ts';
import { Checkbox } from '../../parts/checkbox.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Segments } from '../../parts/field.tsx';
import looks from '../../parts/looks.module.css';
import { Card } from '../../parts/page.tsx';

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
