import { useTranslation } from 'react-i18next';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCurrentConnection } from '../../bridge/live.tsx';
import { useIntake } from '../../bridge/queries.ts';
import { useDropTarget } from '../../features/drop-target.ts';
import { fileCountOf } from '../../features/dropped.ts';
import { RejectedFiles } from '../../features/left-out-files.tsx';
import { useSelection } from '../../features/selection.tsx';
import { Button } from '../../parts/button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Page } from '../../parts/page.tsx';
import { CorrectOne } from './correct-one.tsx';
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
