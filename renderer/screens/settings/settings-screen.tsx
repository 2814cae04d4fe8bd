import { useTranslation } from 'react-i18next';
import type { Preferences } from '../../../contract/app.ts';
import { languages } from '../../../contract/languages.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useLive } from '../../bridge/live.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { Checkbox } from '../../parts/checkbox.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Segments } from '../../parts/field.tsx';
import { Card, Facts, Page } from '../../parts/page.tsx';
import css from './settings.module.css';

/** Theme, language, and information about the program. */
export function SettingsScreen() {
  const { t } = useTranslation();
  const { info } = useLive();
  const prefer = useCall('app.setPreferences');
  const set = (change: Partial<Preferences>) => void prefer.run({ ...info.preferences, ...change });
  return (
    <Page title={t('settings.title')}>
      {prefer.failure ? <FailureView failure={prefer.failure} /> : null}
      <div className={css.cards}>
        <Card title={t('settings.theme')}>
          <Segments
            hideLabel
            label={t('settings.theme')}
            help={t('settings.themeText')}
            value={info.preferences.theme}
            onChange={(theme) => set({ theme })}
            choices={[
              { key: 'system', text: t('settings.system') },
              { key: 'light', text: t('settings.light') },
              { key: 'dark', text: t('settings.dark') },
            ]}
          />
        </Card>
        <Card title={t('settings.language')}>
          <Choice
            hideLabel
            label={t('settings.language')}
            value={info.preferences.language}
            onChange={(language) => set({ language })}
            choices={[
              { key: 'system', text: t('settings.system') },
              ...Object.entries(languages).map(([key, text]) => ({ key, text })),
            ]}
          />
          <p className={css.help}>{t('settings.languageText')}</p>
        </Card>
        <Card title={t('settings.notifications')}>
          <Checkbox isSelected={info.preferences.notifications} onChange={(notifications) => set({ notifications })}>
            {t('settings.notify')}
          </Checkbox>
          <p className={css.help}>{t('settings.notifyText')}</p>
        </Card>
        <AboutCards />
      </div>
    </Page>
  );
}

/** Version of the program and its notices. */
function AboutCards() {
  const { t } = useTranslation();
  const { info } = useLive();
  return (
    <>
      <Card title={t('settings.about')}>
        <Facts
          facts={[
            [t('settings.version'), info.version],
            [t('settings.host'), t(`settings.hosts.${info.host}`)],
          ]}
        />
      </Card>
      <Card title={t('settings.notices')}>
        {info.notices.length === 0 ? <p className={css.help}>{t('settings.noNotices')}</p> : null}
        <ul className={css.notices}>
          {info.notices.map((notice) => (
            <li key={notice.id}>{t(`notice.${notice.kind}`, { file: notice.fileName ?? '' })}</li>
          ))}
        </ul>
      </Card>
    </>
  );
}
