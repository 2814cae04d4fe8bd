import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Reporter, type ReportFormat, type ReportTask, reportFormats } from '../../../contract/verify.ts';
import { languageFor } from '../../../locales/choose-language.ts';
import { askValue } from '../../bridge/client.ts';
import { skipText } from '../../bridge/failure-text.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { useForbidden } from '../../bridge/use-policy.ts';
import { CallButton } from '../../features/call-button.tsx';
import { LeftOutFiles } from '../../features/files/taken-files.tsx';
import { TaskProgress } from '../../features/tasks/task-progress.tsx';
import { Button, IconButton } from '../../parts/button.tsx';
import { TextField } from '../../parts/field.tsx';
import { useFormat } from '../../parts/format.ts';
import { Confirm } from '../../parts/overlays/dialog.tsx';
import { MenuButton } from '../../parts/overlays/menu-button.tsx';
import css from './verify.module.css';
import { useReports } from './verify-runs.ts';

/** The question who makes reports; with a format, that report is saved after it. */
interface Asking {
  readonly known: Reporter | null;
  readonly format: ReportFormat | null;
}

/** The button that saves a report, and the state of the requested reports of the result that the run had at `endedAt`. */
export function useReportParts(runId: string, endedAt: string | null) {
  const { t, i18n } = useTranslation();
  const save = useCall('verify.saveReport');
  const unavailable = useForbidden('verify.saveReport');
  const { reports, add, dismiss } = useReports(runId, endedAt);
  const reporter = useCall('verify.reporter');
  const [asking, setAsking] = useState<Asking | null>(null);
  const choose = async (choice: ReportFormat | 'reporter') => {
    const known = await reporter.run({});
    if (!known.ok) return;
    const format = choice === 'reporter' ? null : choice;
    if (format === null || known.value === null) setAsking({ known: known.value, format });
    else await saveAs(format);
  };
  const saveAs = async (format: ReportFormat) => {
    const begun = await save.run({ runId, format, language: languageFor(i18n.language, []) });
    if (begun.ok && begun.value) add(begun.value);
  };
  return {
    button: (
      <>
        <MenuButton
          kind="primary"
          label={t('verify.report.save')}
          isPending={save.busy}
          unavailable={unavailable}
          choices={[
            ...reportFormats.map((key) => ({ key, text: t(`verify.report.formats.${key}`) })),
            { key: 'reporter' as const, text: t('verify.report.changeReporter') },
          ]}
          onChoose={(choice) => void choose(choice)}
        />
        {asking ? (
          <ReporterDialog
            known={asking.known}
            onKept={() => {
              setAsking(null);
              if (asking.format) void saveAs(asking.format);
            }}
            onClose={() => setAsking(null)}
          />
        ) : null}
      </>
    ),
    lines: (
      <>
        {reporter.failure ? <FailureView failure={reporter.failure} /> : null}
        {save.failure ? <FailureView failure={save.failure} /> : null}
        {reports.map((report) => (
          <ReportLine key={report.taskId} report={report} onDismiss={dismiss} />
        ))}
      </>
    ),
  };
}

function ReportLine(props: { readonly report: ReportTask; readonly onDismiss: () => void }) {
  const { report } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const { fileName: name, writtenFiles, totalFiles } = report.progress;
  if (report.state === 'failed' && report.failure) {
    return (
      <FailureView failure={report.failure} subject={name}>
        <Button onPress={props.onDismiss}>{t('common.close')}</Button>
      </FailureView>
    );
  }
  const words = {
    running: t('verify.report.writing', {
      name,
      done: format.number(writtenFiles),
      total: format.number(totalFiles),
    }),
    done: t('verify.report.done', { name }),
    stopped: t('verify.report.cancelled'),
    failed: t('verify.report.failed'),
  }[report.state];
  return (
    <div className={css.report} role="status">
      {report.state === 'running' ? (
        <TaskProgress task={report} label={words} words={words} stop={t('verify.report.cancel')} />
      ) : (
        <>
          <span className={css.reportWords}>{words}</span>
          {report.state === 'done' ? (
            <CallButton kind="quiet" call="verify.showReport" input={{ taskId: report.taskId }}>
              {t('verify.report.show')}
            </CallButton>
          ) : null}
          <IconButton label={t('verify.report.dismiss')} icon={<X aria-hidden="true" />} onPress={props.onDismiss} />
        </>
      )}
    </div>
  );
}

/** Asks who makes reports with this program: before the first one, and again where a person wants to change it. */
function ReporterDialog(props: {
  readonly known: Reporter | null;
  readonly onKept: () => void;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const keep = useCall('verify.setReporter');
  const [person, setPerson] = useState(props.known?.person ?? '');
  const [organisation, setOrganisation] = useState(props.known?.organisation ?? '');
  const isMissing = person.trim() === '';
  return (
    <Confirm
      title={t('verify.report.reporter')}
      confirm={t('verify.report.keepReporter')}
      busy={keep.busy}
      isDisabled={isMissing}
      onConfirm={() =>
        void keep
          .run({ person: person.trim(), organisation: organisation.trim() })
          .then((kept) => (kept.ok ? props.onKept() : undefined))
      }
      onClose={props.onClose}
    >
      <p>{t('verify.report.reporterText')}</p>
      <TextField label={t('verify.report.person')} value={person} onChange={setPerson} maxLength={200} />
      <TextField
        label={t('verify.report.organisation')}
        value={organisation}
        onChange={setOrganisation}
        maxLength={200}
      />
      {keep.failure ? <FailureView failure={keep.failure} /> : null}
    </Confirm>
  );
}

const shownAtOnce = 100;

/** Skipped files, with the reason of each. */
export function LeftOut(props: { readonly runId: string; readonly count: number }) {
  const { t } = useTranslation();
  const { data } = useQuery({
    queryKey: ['verify-left-out', props.runId, props.count],
    queryFn: () => askValue('verify.leftOut', { runId: props.runId, limit: shownAtOnce }),
    enabled: props.count > 0,
  });
  if (props.count === 0) return null;
  const more = props.count - (data?.files.length ?? props.count);
  return (
    <LeftOutFiles
      label={t('verify.leftOut', { count: props.count })}
      files={(data?.files ?? []).map(({ folder, name, reason, kind }) => ({
        name: folder ? `${folder}/${name}` : name,
        why: skipText(t, reason, kind),
      }))}
      open={false}
    >
      {more > 0 ? <p>{t('verify.moreLeftOut', { count: more })}</p> : null}
    </LeftOutFiles>
  );
}
