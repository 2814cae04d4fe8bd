import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FileToken } from '../../../contract/files.ts';
import type { VerifyRun } from '../../../contract/verify.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCurrentConnection } from '../../bridge/live.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { fileCountOf, useDropTarget } from '../../features/files/dropped.ts';
import { type Rejected, RejectedFiles, useTakeFiles } from '../../features/files/taken-files.tsx';
import { useVerifyStart } from '../../features/files/verify-start.tsx';
import { Button } from '../../parts/button.tsx';
import { useKeptState } from '../../parts/navigation.tsx';
import { RunView } from './run-view.tsx';
import { VerifyOverview } from './verify-overview.tsx';

/** Verifications: one run, or all kept runs and the watched folders. */
export function VerifyScreen(props: { readonly run: string | null }) {
  const { t } = useTranslation();
  const [runId, setRunId] = useKeptState('run', props.run);
  // What is added while results are shown belongs to them.
  const [shownRun, setShownRun] = useState<VerifyRun | null>(null);
  const adding = useAddFiles(setRunId, runId === null ? null : shownRun);
  const failure = (
    <>
      {adding.failure ? <FailureView failure={adding.failure} /> : null}
      <RejectedFiles rejected={adding.rejected} />
    </>
  );
  const buttons = (isPrimary: boolean) => (
    <>
      <Button kind={isPrimary ? 'primary' : 'plain'} isPending={adding.busy} onPress={() => void adding.add('any')}>
        {t('verify.addFiles')}
      </Button>
      {isPrimary ? (
        <>
          <Button isPending={adding.busy} onPress={() => void adding.add('folder')}>
            {t('verify.addFolder')}
          </Button>
          <Button isPending={adding.busy} onPress={() => void adding.add('any', true)}>
            {t('own.local.add')}
          </Button>
        </>
      ) : null}
    </>
  );
  return (
    <>
      {runId === null ? (
        <VerifyOverview failure={failure} actions={buttons(true)} onOpen={setRunId} />
      ) : (
        <RunView
          key={runId}
          runId={runId}
          failure={failure}
          actions={buttons(false)}
          onRun={setShownRun}
          onBack={() => setRunId(null)}
        />
      )}
      {adding.dialog}
    </>
  );
}

/** Verifies files that a person chooses or drops here, at once: that is what they are here for, and verifying registers nothing. */
function useAddFiles(onStarted: (runId: string) => void, into: VerifyRun | null) {
  const { t } = useTranslation();
  const connection = useCurrentConnection();
  const [rejected, setRejected] = useState<readonly Rejected[]>([]);
  const choose = useCall('files.choose');
  const scan = useCall('files.scan');
  const take = useTakeFiles();
  const start = useVerifyStart(onStarted, into);

  async function verify(tokens: readonly FileToken[], isLocal = false) {
    if (tokens.length === 0) return;
    const intake = await scan.run({ tokens: tokens.map(({ token }) => token), purpose: 'verify' });
    if (intake.ok) await start.start(intake.value.id, intake.value.fileCount, isLocal);
  }
  useDropTarget((dragged) => {
    const count = fileCountOf(dragged);
    return {
      text: count === null ? t('drop.verifyAny') : t('drop.verify', { count }),
      note: into?.connectionId === null ? t('own.local.drop') : t('drop.verifyNote', { connection: connection.name }),
      take: async (dropped) => {
        const files = await take(dropped);
        setRejected(files.rejected);
        await verify(files.taken);
      },
    };
  });
  return {
    busy: choose.busy || scan.busy || start.busy,
    failure: choose.failure ?? scan.failure ?? start.failure,
    rejected,
    dialog: start.dialog,
    add: async (kind: 'any' | 'folder', isLocal = false) => {
      setRejected([]);
      const chosen = await choose.run({ kind });
      if (chosen.ok && chosen.value) await verify(chosen.value, isLocal);
    },
  };
}
