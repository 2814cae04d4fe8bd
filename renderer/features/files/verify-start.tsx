import type { TFunction } from 'i18next';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Failure } from '../../../contract/failure.ts';
import type { VerifyEstimate, VerifyRun } from '../../../contract/verify.ts';
import { useConnection, useCurrentConnection } from '../../bridge/live.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { Button } from '../../parts/button.tsx';
import { useFormat } from '../../parts/format.ts';
import { Dialog } from '../../parts/overlays/dialog.tsx';
import { Facts } from '../../parts/page.tsx';

/** Up to this number of files a verification starts at once; for more, its cost is shown first. */
const startsAtOnce = 25;

/**
 * Starts a verification of an intake on the connection in use, or with `isLocal` without asking a service, or adds it to the run `into`. The caller must render `dialog`: for many files it shows the cost and starts when the
 * person confirms.
 */
export function useVerifyStart(
  onStarted: (runId: string) => void,
  into: VerifyRun | null = null,
): {
  readonly start: (intakeId: string, files: number, isLocal?: boolean) => Promise<void>;
  readonly busy: boolean;
  readonly failure: Failure | null;
  readonly dialog: ReactNode;
} {
  const { t } = useTranslation();
  const connection = useCurrentConnection();
  const begin = useCall('verify.start');
  const add = useCall('verify.add');
  // A run is asked on one connection only, or on none.
  const runId =
    into?.kind === 'files' && (into.connectionId === connection.id || into.connectionId === null) ? into.runId : null;
  const reckon = useCall('verify.estimate');
  const [asked, setAsked] = useState<{ readonly intakeId: string; readonly estimate: VerifyEstimate } | null>(null);
  const startNow = async (intakeId: string, isLocal = false) => {
    const run =
      runId === null
        ? await begin.run({ connectionId: isLocal ? null : connection.id, intakeId })
        : await add.run({ runId, intakeId });
    setAsked(null);
    if (run.ok) onStarted(run.value.runId);
  };
  return {
    start: async (intakeId, files, isLocal = false) => {
      const isFree = isLocal || into?.connectionId === null;
      if (files <= startsAtOnce || isFree) return startNow(intakeId, isLocal);
      const estimate = await reckon.run({ connectionId: connection.id, intakeId });
      if (estimate.ok) setAsked({ intakeId, estimate: estimate.value });
    },
    busy: begin.busy || add.busy || reckon.busy,
    failure: begin.failure ?? add.failure ?? reckon.failure,
    dialog: asked ? (
      <EstimateDialog
        estimate={asked.estimate}
        connectionId={connection.id}
        busy={begin.busy || add.busy}
        title={t('verify.estimate.title', { count: asked.estimate.files })}
        confirm={t('verify.estimate.start', { count: asked.estimate.files })}
        onConfirm={() => void startNow(asked.intakeId)}
        onClose={() => setAsked(null)}
      />
    ) : null,
  };
}

/** Shows the cost of a verification before it starts. */
function EstimateDialog(props: {
  readonly estimate: VerifyEstimate;
  readonly connectionId: string;
  readonly title: string;
  readonly confirm: string;
  readonly busy: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const { estimate } = props;
  const connection = useConnection(props.connectionId)?.name ?? '';
  return (
    <Dialog
      title={props.title}
      onClose={props.onClose}
      confirm={
        <Button kind="primary" autoFocus isPending={props.busy} onPress={props.onConfirm}>
          {props.confirm}
        </Button>
      }
    >
      <p>{t('verify.estimate.text', { connection })}</p>
      {estimate.notPdf > 0 ? <p>{t('verify.estimate.notPdf', { count: estimate.notPdf })}</p> : null}
      <Facts
        facts={[
          [t('verify.estimate.calls'), t('verify.estimate.callsValue', { count: estimate.calls })],
          [t('verify.estimate.size'), format.bytes(estimate.totalBytes)],
          [
            t('verify.estimate.time'),
            estimate.seconds === null ? t('verify.estimate.timeUnknown') : durationText(t, estimate.seconds),
          ],
        ]}
      />
    </Dialog>
  );
}

function durationText(t: TFunction, seconds: number): string {
  if (seconds < 90) return t('verify.estimate.duration.seconds', { count: Math.max(1, Math.ceil(seconds)) });
  if (seconds < 5400) return t('verify.estimate.duration.minutes', { count: Math.ceil(seconds / 60) });
  return t('verify.estimate.duration.hours', { count: Math.ceil(seconds / 3600) });
}
