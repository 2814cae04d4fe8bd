import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { Correction } from '../../../contract/corrections.ts';
import type { FileToken } from '../../../contract/files.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useConnection } from '../../bridge/live.tsx';
import { useIntake } from '../../bridge/queries.ts';
import { useTask } from '../../bridge/use-task.ts';
import { CorrectionNotice, useCorrection } from '../../features/correct.tsx';
import { useTyped } from '../../features/typed.tsx';
import type { RegisterDraft } from '../../features/work.tsx';
import { Button } from '../../parts/button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { useGo } from '../../parts/navigation.tsx';
import { Page } from '../../parts/page.tsx';
import { RegisterForm } from './register-form.tsx';

type Registration = Extract<Correction, { kind: 'register' }>;

/** A registration that was not taken, with its file and its values. */
export function CorrectOne(props: { readonly jobId: string }) {
  const { t } = useTranslation();
  const go = useGo();
  const correction = useCorrection(props.jobId);
  if (correction.data?.kind === 'register') return <Form correction={correction.data} />;
  return (
    <Page title={t('register.title')}>
      {correction.error ? (
        <FailureView failure={correction.error.failure}>
          <Button onPress={() => go({ screen: 'jobs' })}>{t('compose.showInActivity')}</Button>
        </FailureView>
      ) : (
        <p role="status">{t('common.loading')}</p>
      )}
    </Page>
  );
}

interface Typed extends RegisterDraft {
  /** Null: the one that the job had. */
  readonly file: FileToken | null;
}

function Form(props: { readonly correction: Registration }) {
  const { correction } = props;
  const { jobId, name, description, clientId, creditType, state, failure } = correction;
  const { t } = useTranslation();
  const connection = useConnection(correction.connectionId);
  const [typed, setTyped, forget] = useTyped<Typed>(`register-${jobId}`, {
    ...{ name, description, clientId, creditType },
    file: null,
  });
  const choose = useTask('files.choose');
  const file = typed.file ?? correction.file;
  const intake = useIntake(file ? [file] : [], 'register');
  const { file: _file, ...draft } = typed;
  const setDraft = useCallback((next: RegisterDraft) => setTyped({ ...typed, ...next }), [typed, setTyped]);

  async function chooseNow() {
    const chosen = await choose.run({ kind: 'documents' });
    const [first] = chosen.ok ? (chosen.value ?? []) : [];
    if (first) setTyped({ ...typed, file: first });
  }

  if (!connection) {
    return (
      <Page title={t('register.title')}>
        <Empty
          kind="nothing-yet"
          heading={t('corrections.connectionGone')}
          text={t('corrections.connectionGoneText')}
        />
      </Page>
    );
  }
  return (
    <Page
      title={t('register.title')}
      lead={t('register.lead', { connection: connection.name })}
      actions={
        <Button isPending={choose.busy} onPress={() => void chooseNow()}>
          {file ? t('corrections.changeFile') : t('corrections.chooseFile')}
        </Button>
      }
    >
      <CorrectionNotice state={state} failure={failure} />
      {choose.failure ? <FailureView failure={choose.failure} /> : null}
      {file ? null : <p role="alert">{t('corrections.fileGone', { name: correction.fileName })}</p>}
      {intake.error ? (
        <FailureView failure={intake.error.failure}>
          <Button onPress={() => void intake.refetch()}>{t('common.tryAgain')}</Button>
        </FailureView>
      ) : null}
      {intake.isLooking ? <p role="status">{t('start.looking')}</p> : null}
      {intake.data ? (
        <RegisterForm
          key={intake.data.id}
          intake={intake.data}
          connection={connection}
          draft={draft}
          setDraft={setDraft}
          corrects={{ jobId, state }}
          onRegistered={forget}
        />
      ) : null}
    </Page>
  );
}
