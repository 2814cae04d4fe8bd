import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { Connection } from '../../../contract/connections.ts';
import type { FileToken } from '../../../contract/files.ts';
import type { Correction } from '../../../contract/forms.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useConnection, useCurrentConnection } from '../../bridge/live.tsx';
import { useIntake } from '../../bridge/queries.ts';
import { useChooseFile } from '../../bridge/use-call.ts';
import { fileCountOf, useDropTarget } from '../../features/files/dropped.ts';
import { type RegisterDraft, useSelection } from '../../features/files/selection.tsx';
import { RejectedFiles } from '../../features/files/taken-files.tsx';
import { useKeptInput } from '../../features/forms/kept-input.tsx';
import { ConnectionGone, CorrectionNotice, useCorrection } from '../../features/jobs/correct.tsx';
import { Button } from '../../parts/button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { useGo } from '../../parts/navigation.tsx';
import { Page } from '../../parts/page.tsx';
import { RegisterForm } from './register-form.tsx';

/** Names and values for the selected files, with a confirmation before anything costs; or the correction of a failed registration. */
export function RegisterScreen(props: { readonly corrects: string | null }) {
  return props.corrects === null ? <RegisterChosen /> : <CorrectOne key={props.corrects} jobId={props.corrects} />;
}

function RegisterChosen() {
  const { t } = useTranslation();
  const selection = useSelection();
  const connection = useCurrentConnection();
  const intake = useIntake(selection.tokens, 'register');
  useDropTarget((dragged) => {
    const count = fileCountOf(dragged);
    return {
      text: count === null ? t('drop.registerAny') : t('drop.register', { count }),
      take: (dropped) => void selection.takeDropped(dropped),
    };
  });
  return (
    <Page title={t('register.title')}>
      {selection.pickFailure ? <FailureView failure={selection.pickFailure} /> : null}
      <RejectedFiles rejected={selection.rejected} />
      {intake.error ? <FailureView failure={intake.error.failure} onAgain={() => void intake.refetch()} /> : null}
      {selection.tokens.length === 0 ? <NothingChosen /> : null}
      {intake.isLooking ? <p role="status">{t('start.looking')}</p> : null}
      {intake.data && selection.tokens.length > 0 ? (
        <RegisterForm
          key={intake.data.id}
          intake={intake.data}
          connection={connection}
          draft={selection.draft}
          setDraft={selection.setDraft}
          corrects={null}
          onRegistered={selection.sent}
        />
      ) : null}
    </Page>
  );
}

function NothingChosen() {
  const { t } = useTranslation();
  const { choose, addSamples } = useSelection();
  return (
    <Empty kind="nothing-yet" heading={t('register.nothingHeading')} text={t('register.nothingText')}>
      <Button kind="primary" onPress={() => void choose('documents')}>
        {t('start.chooseFiles')}
      </Button>
      <Button onPress={() => void choose('folder')}>{t('start.chooseFolder')}</Button>
      <Button kind="quiet" onPress={() => void addSamples()}>
        {t('start.samples')}
      </Button>
    </Empty>
  );
}

type Registration = Extract<Correction, { kind: 'register' }>;

/** Corrects a registration that was not taken, with its file and its values. */
function CorrectOne(props: { readonly jobId: string }) {
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
  const { jobId, name, description, clientId, creditType } = correction;
  const { t } = useTranslation();
  const [typed, setTyped, forget] = useKeptInput<Typed>(`register-${jobId}`, {
    name,
    description,
    clientId,
    creditType,
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
      <CorrectionNotice {...correction} />
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
          corrects={correction}
          onRegistered={forget}
        />
      ) : null}
    </Page>
  );
}
