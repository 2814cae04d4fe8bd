import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { Connection } from '../../../contract/connections.ts';
import type { Correction } from '../../../contract/corrections.ts';
import type { FileToken } from '../../../contract/files.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useConnection } from '../../bridge/live.tsx';
import { useIntake } from '../../bridge/queries.ts';
import { useChooseFile } from '../../bridge/use-choose-file.ts';
import { ConnectionGone, CorrectionNotice, useCorrection } from '../../features/correct.tsx';
import { useKeptInput } from '../../features/kept-input.tsx';
import type { RegisterDraft } from '../../features/selection.tsx';
import { Button } from '../../parts/button.tsx';
import { useGo } from '../../parts/navigation.tsx';
import { Page } from '../../parts/page.tsx';
import { RegisterForm } from './register-form.tsx';

type Registration = Extract<Correction, { kind: 'register' }>;

/** Corrects a registration that was not taken, with its file and its values. */
export function CorrectOne(props: { readonly jobId: string }) {
  const { t } = useTranslation();
  const go = useGo();
  const correction = useCorrection(props.jobId);
  const registration = correction.data?.kind === 'register' ? correction.data : null;
  const connection = useConnection(registration?.connectionId ?? '');
  if (registration) {
    return connection ? (
      <Form correction={registration} connection={connection} />
    ) : (
      <Page title={t('register.title')}>
        <ConnectionGone />
      </Page>
    );
  }
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
  /** Null: the file of the job. */
  readonly file: FileToken | null;
}

function Form(props: { readonly correction: Registration; readonly connection: Connection }) {
  const { correction, connection } = props;
  const { jobId, name, description, clientId, creditType, state, failure } = correction;
  const { t } = useTranslation();
  const [typed, setTyped, forget] = useKeptInput<Typed>(`register-${jobId}`, {
    ...{ name, description, clientId, creditType },
    file: null,
  });
  const choose = useChooseFile('documents');
  const file = typed.file ?? correction.file;
  const intake = useIntake(file ? [file] : [], 'register');
  const { file: _file, ...draft } = typed;
  const setDraft = useCallback((next: RegisterDraft) => setTyped({ ...typed, ...next }), [typed, setTyped]);

  async function chooseNow() {
    const chosen = await choose.choose();
    if (chosen) setTyped({ ...typed, file: chosen });
  }

  return (
    <Page
      title={t('register.title')}
      actions={
        <Button isPending={choose.busy} onPress={() => void chooseNow()}>
          {file ? t('corrections.changeFile') : t('corrections.chooseFile')}
        </Button>
      }
    >
      <CorrectionNotice state={state} failure={failure} />
      {choose.failure ? <FailureView failure={choose.failure} /> : null}
      {file ? null : <p role="alert">{t('corrections.fileGone', { name: correction.fileName })}</p>}
      {intake.error ? <FailureView failure={intake.error.failure} onAgain={() => void intake.refetch()} /> : null}
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
