import { X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { type ReportFormat, type ReportProgress, reportFormats } from '../../../contract/verify.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useTask } from '../../bridge/use-task.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { useFormat } from '../../parts/format.ts';
import { MenuButton } from '../../parts/menu-button.tsx';
import { Progress } from '../../parts/progress.tsx';
import css from './verify.module.css';
import { useReports } from './verify-runs.ts';

/** The button that saves a report, and what became of those that were asked for. */
export function useReportParts(runId: string) {
  const { t, i18n } = useTranslation();
  const save = useTask('verify.saveReport');
  const { reports, add, forget } = useReports(runId);
  const saveAs = async (format: ReportFormat) => {
    const begun = await save.run({ runId, format, language: i18n.language === 'de' ? 'de' : 'en' });
    if (begun.ok && begun.value) add(begun.value);
  };
  return {
    button: (
      <MenuButton
        kind="primary"
        label={t('verify.report.save')}
        isPending={save.busy}
        choices={reportFormats.map((key) => ({ key, text: t(`verify.report.formats.${key}`) }))}
        onChoose={(format) => void saveAs(format)}
      />
    ),
    lines: (
      <>
        {save.failure ? <FailureView failure={save.failure} /> : null}
        {reports.map((report) => (
          <ReportLine key={report.reportId} report={report} onDismiss={() => forget(report.reportId)} />
        ))}
      </>
    ),
  };
}

function ReportLine(props: { readonly report: ReportProgress; readonly onDismiss: () => void }) {
  const { report } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const cancel = useTask('verify.cancelReport');
  const show = useTask('verify.showReport');
  const name = report.fileName;
  if (report.state === 'failed' && report.failure) {
    return (
      <FailureView failure={report.failure} subject={name}>
        <Button onPress={props.onDismiss}>{t('common.close')}</Button>
      </FailureView>
    );
  }
  const words = {
    writing: t('verify.report.writing', {
      name,
      done: format.number(report.writtenFiles),
      total: format.number(report.totalFiles),
    }),
    done: t('verify.report.done', { name }),
    cancelled: t('verify.report.cancelled'),
    failed: t('verify.report.failed'),
  }[report.state];
  return (
    <div className={css.report} role="status">
      <span className={css.reportWords}>{words}</span>
      {report.state === 'writing' ? (
        <>
          <Progress label={words} done={report.writtenFiles} total={report.totalFiles} />
          <Button kind="quiet" onPress={() => void cancel.run({ reportId: report.reportId })}>
            {t('verify.report.cancel')}
          </Button>
        </>
      ) : (
        <>
          {report.state === 'done' ? (
            <Button kind="quiet" onPress={() => void show.run({ reportId: report.reportId })}>
              {t('verify.report.show')}
            </Button>
          ) : null}
          <IconButton label={t('verify.report.dismiss')} icon={<X aria-hidden="true" />} onPress={props.onDismiss} />
        </>
      )}
    </div>
  );
}
