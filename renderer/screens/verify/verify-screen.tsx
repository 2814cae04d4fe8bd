import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { useVerifyStart } from '../../features/verify-start.tsx';
import { Button } from '../../parts/button.tsx';
import { RunView } from './run-view.tsx';
import { VerifyOverview } from './verify-overview.tsx';

/** Verifications: one run, or all kept runs and the watched folders. */
export function VerifyScreen(props: { readonly run: string | null }) {
  const { t } = useTranslation();
  const [runId, setRunId] = useState(props.run);
  const adding = useAddFiles(setRunId);
  const failure = adding.failure ? <FailureView failure={adding.failure} /> : null;
  const buttons = (isPrimary: boolean) => (
    <>
      <Button kind={isPrimary ? 'primary' : 'plain'} isPending={adding.busy} onPress={() => void adding.add('any')}>
        {t('verify.addFiles')}
      </Button>
      {isPrimary ? (
        <Button isPending={adding.busy} onPress={() => void adding.add('folder')}>
          {t('verify.addFolder')}
        </Button>
      ) : null}
    </>
  );
  return (
    <>
      {runId === null ? (
        <VerifyOverview failure={failure} actions={buttons(true)} onOpen={setRunId} />
      ) : (
        <RunView key={runId} runId={runId} failure={failure} actions={buttons(false)} onBack={() => setRunId(null)} />
      )}
      {adding.dialog}
    </>
  );
}

/** Lets the person choose files and verifies them at once: they were chosen for this, and verifying registers nothing. */
function useAddFiles(onStarted: (runId: string) => void) {
  const choose = useCall('files.choose');
  const scan = useCall('files.scan');
  const start = useVerifyStart(onStarted);
  return {
    busy: choose.busy || scan.busy || start.busy,
    failure: choose.failure ?? scan.failure ?? start.failure,
    dialog: start.dialog,
    add: async (kind: 'any' | 'folder') => {
      const chosen = await choose.run({ kind });
      if (!chosen.ok || !chosen.value || chosen.value.length === 0) return;
      const intake = await scan.run({ tokens: chosen.value.map((token) => token.token), purpose: 'verify' });
      if (intake.ok) await start.start(intake.value.id, intake.value.fileCount);
    },
  };
}
