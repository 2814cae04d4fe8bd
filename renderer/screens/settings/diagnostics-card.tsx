import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type LogLevel, logLevels } from '../../../contract/diagnostics.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useLive } from '../../bridge/live.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { settingMark } from '../../features/setting-names.ts';
import { SupportReport } from '../../features/support-report.tsx';
import { Button } from '../../parts/button.tsx';
import { Choice } from '../../parts/choice.tsx';
import { useFormat } from '../../parts/format.ts';
import { Card } from '../../parts/page.tsx';
import css from './settings.module.css';

/** Makes a report for support, which is looked at before it is saved, and sets how much the log holds. */
export function DiagnosticsCard() {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <Card title={t('settings.diagnostics')} mark={settingMark('diagnostics')}>
      <p className={css.help}>{t('settings.diagnosticsText')}</p>
      <div className={css.buttons}>
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
      {until ? <p className={css.help}>{t('settings.logUntil', { time: format.momentInText(until) })}</p> : null}
      {set.failure ? <FailureView failure={set.failure} /> : null}
    </>
  );
}
