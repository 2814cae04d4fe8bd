import { useTranslation } from 'react-i18next';
import { failureText } from '../../bridge/failure-text.ts';
import { useCall } from '../../bridge/use-call.ts';
import { useSelection } from '../../features/selection.tsx';
import { Button } from '../../parts/button.tsx';
import { type ScreenName, useGo } from '../../parts/navigation.tsx';
import type { Tour } from './use-tour.ts';

/** The button of a step. Registering is left to the person and to the form; verifying names the practice connection, whichever is in use. */
export function TourAction(props: { readonly tour: Tour; readonly screen: ScreenName; readonly onFinish: () => void }) {
  const { t } = useTranslation();
  const { tour } = props;
  const go = useGo();
  const { addSamples } = useSelection();
  const use = useCall('connections.use');
  const verify = useVerifySame(tour);
  const actions = {
    connection: { text: t('tour.usePractice'), act: () => void use.run({ id: tour.practiceId }) },
    files: {
      text: t('start.samples'),
      act: () => {
        go({ screen: 'start' });
        void addSamples();
      },
    },
    register:
      props.screen === 'register' || props.screen === 'jobs'
        ? null
        : { text: t('tour.openRegister'), act: () => go({ screen: 'register' }) },
    verify: { text: t('tour.verifySame'), act: () => void verify.run() },
    done: { text: t('tour.finish'), act: props.onFinish },
  };
  const action = actions[tour.step];
  return (
    <>
      {verify.failure ? <span role="alert">{failureText(t, verify.failure).heading}</span> : null}
      {action ? (
        <Button kind="primary" onPress={action.act} isPending={use.busy || verify.busy}>
          {action.text}
        </Button>
      ) : null}
    </>
  );
}

/** Verifies the files of the tour with the practice service and shows the run; the samples where none were selected. */
function useVerifySame({ files, practiceId }: Tour) {
  const go = useGo();
  const samples = useCall('files.samples');
  const scan = useCall('files.scan');
  const start = useCall('verify.start');
  const run = async () => {
    let tokens = files;
    if (tokens.length === 0) {
      const found = await samples.run({});
      if (!found.ok) return;
      tokens = found.value.map(({ token }) => token);
    }
    const intake = await scan.run({ tokens: [...tokens], purpose: 'verify' });
    if (!intake.ok) return;
    const run = await start.run({ connectionId: practiceId, intakeId: intake.value.id });
    if (run.ok) go({ screen: 'verify', run: run.value.runId });
  };
  return {
    run,
    busy: samples.busy || scan.busy || start.busy,
    failure: samples.failure ?? scan.failure ?? start.failure,
  };
}
