import { useTranslation } from 'react-i18next';
import { useLive } from '../../bridge/live.tsx';
import { settingMark } from '../../features/setting-names.ts';
import { Card } from '../../parts/page.tsx';
import css from './settings.module.css';

/** The version, what installed it, and therefore what updates it: the program does not update itself. */
export function UpdatesCard() {
  const { t } = useTranslation();
  const { version, installation } = useLive().info;
  return (
    <Card title={t('settings.updates')} mark={settingMark('updates')}>
      <p>{t('settings.version', { version })}</p>
      <p className={css.help}>{t(`settings.installed.${installation}`)}</p>
    </Card>
  );
}
