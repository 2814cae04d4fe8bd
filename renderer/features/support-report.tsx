import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type SupportReport as Report, type SupportFileName, supportFiles } from '../../contract/diagnostics.ts';
import { FailureView } from '../bridge/failure-view.tsx';
import { useCall } from '../bridge/use-call.ts';
import { useForbidden } from '../bridge/use-policy.ts';
import { Button } from '../parts/button.tsx';
import { CopyButton } from '../parts/copy.tsx';
import { Segments } from '../parts/field.tsx';
import looks from '../parts/looks.module.css';
import { Dialog } from '../parts/overlays/dialog.tsx';
import css from './support-report.module.css';

/** The report for support: each of its files is shown before the whole is saved. */
export function SupportReport(props: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const report = useReport();
  const save = useCall('diagnostics.save');
  const unavailable = useForbidden('diagnostics.save');
  const [saved, setSaved] = useState('');
  const keep = async ({ id }: Report) => {
    const kept = await save.run({ id });
    if (kept.ok && kept.value) setSaved(t('settings.saved', { file: kept.value.fileName }));
  };
  const { value } = report;
  const failure = report.failure ?? save.failure;
  return (
    <Dialog
      wide
      title={t('settings.report')}
      onClose={props.onClose}
      actions={
        <>
          <Button onPress={props.onClose}>{t('common.close')}</Button>
          {value ? (
            <Button kind="primary" unavailable={unavailable} isPending={save.busy} onPress={() => void keep(value)}>
              {t('settings.saveReport')}
            </Button>
          ) : null}
        </>
      }
    >
      <Files report={value} isFailed={report.failure !== null} />
      <p role="status" className={looks.hint}>
        {saved || t('settings.reportStays')}
      </p>
      {failure ? <FailureView failure={failure} /> : null}
    </Dialog>
  );
}

/** As high before the report is there as afterwards. */
function Files({ report, isFailed }: { readonly report: Report | null; readonly isFailed: boolean }) {
  const { t } = useTranslation();
  const [shown, setShown] = useState<SupportFileName>(supportFiles[0]);
  const text = report?.files.find(({ name }) => name === shown)?.text;
  return (
    <>
      <div className={css.files}>
        <Segments
          label={t('settings.reportFiles')}
          value={shown}
          onChange={setShown}
          choices={supportFiles.map((key) => ({ key, text: t(`settings.reportFile.${key}`) }))}
        />
        {text ? <CopyButton text={text} label={t('settings.copyReport')} /> : null}
      </div>
      <textarea
        readOnly
        className={css.report}
        aria-label={t(`settings.reportFile.${shown}`)}
        aria-busy={!report && !isFailed}
        dir={report ? 'ltr' : undefined}
        value={text ?? (isFailed ? '' : t('settings.creating'))}
      />
    </>
  );
}

/** Makes the report once, when the dialog opens. */
function useReport() {
  const { run, failure } = useCall('diagnostics.report');
  const [value, setValue] = useState<Report | null>(null);
  const isAsked = useRef(false);
  useEffect(() => {
    if (isAsked.current) return;
    isAsked.current = true;
    void run({}).then((made) => (made.ok ? setValue(made.value) : undefined));
  }, [run]);
  return { value, failure } as const;
}
