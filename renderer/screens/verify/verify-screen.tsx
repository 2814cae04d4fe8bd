import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCurrentConnection } from '../../bridge/live.tsx';
import { useTask } from '../../bridge/use-task.ts';
import { useWork } from '../../bridge/work.tsx';
import { Button } from '../../parts/button.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Empty } from '../../parts/empty.tsx';
import { useFormat } from '../../parts/format.ts';
import { Page } from '../../parts/page.tsx';
import { RunView } from './run-view.tsx';

/** The verifications of this session; the newest is shown. */
export function VerifyScreen() {
  const { t } = useTranslation();
  const { runs } = useWork();
  const [chosen, setChosen] = useState<string | null>(null);
  const adding = useAdding(() => setChosen(null));
  const run = runs.find((one) => one.runId === chosen) ?? runs[0];
  const buttons = (
    <>
      <Button kind={run ? 'plain' : 'primary'} isPending={adding.busy} onPress={() => void adding.add('any')}>
        {t('verify.addFiles')}
      </Button>
      <Button isPending={adding.busy} onPress={() => void adding.add('folder')}>
        {t('verify.addFolder')}
      </Button>
    </>
  );
  const failure = adding.failure ? <FailureView failure={adding.failure} /> : null;
  if (!run) {
    return (
      <Page title={t('verify.title')}>
        {failure}
        <Empty kind="nothing-yet" heading={t('verify.emptyHeading')} text={t('verify.emptyText')}>
          {buttons}
        </Empty>
      </Page>
    );
  }
  return (
    <RunView
      key={run.runId}
      started={run}
      failure={failure}
      actions={
        <>
          {runs.length > 1 ? <EarlierRuns value={run.runId} onChange={setChosen} /> : null}
          {buttons}
        </>
      }
    />
  );
}

function EarlierRuns(props: { readonly value: string; readonly onChange: (runId: string) => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { runs } = useWork();
  return (
    <Choice
      label={t('verify.earlier')}
      hideLabel
      value={props.value}
      onChange={props.onChange}
      choices={runs.map((run) => ({
        key: run.runId,
        text: `${format.moment(run.startedAt)} · ${t('common.files', { count: run.intake.fileCount })}`,
      }))}
    />
  );
}

/** Picks files and asks about them at once: they were chosen for this, and asking is free. */
function useAdding(onStarted: () => void) {
  const connection = useCurrentConnection();
  const work = useWork();
  const choose = useTask('files.choose');
  const look = useTask('files.look');
  const start = useTask('verify.start');
  return {
    busy: choose.busy || look.busy || start.busy,
    failure: choose.failure ?? look.failure ?? start.failure,
    add: async (kind: 'any' | 'folder') => {
      const chosen = await choose.run({ kind });
      if (!chosen.ok || !chosen.value || chosen.value.length === 0) return;
      const intake = await look.run({ tokens: chosen.value.map((token) => token.token), purpose: 'verify' });
      if (!intake.ok) return;
      const run = await start.run({ connectionId: connection.id, intakeId: intake.value.id });
      if (!run.ok) return;
      const { runId, startedAt } = run.value;
      work.addRun({ runId, startedAt, intake: intake.value, connectionId: connection.id });
      onStarted();
    },
  };
}
