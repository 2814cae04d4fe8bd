import { type ComponentProps, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallInput, CallName, CallOutput } from '../../contract/index.ts';
import { FailureView } from '../bridge/failure-view.tsx';
import { useCall } from '../bridge/use-call.ts';
import { Button } from '../parts/button.tsx';

/** A button whose call is made at once; why that failed stands behind it. */
export function CallButton<N extends CallName>({
  call,
  input,
  onDone,
  isPending = false,
  failed = {},
  ...button
}: Omit<ComponentProps<typeof Button>, 'onPress'> & {
  readonly call: N;
  readonly input: CallInput<N>;
  readonly onDone?: (value: CallOutput<N>) => void;
  /** How a failure is said. */
  readonly failed?: { readonly calm?: boolean; readonly subject?: string };
}) {
  const { run, busy, failure } = useCall(call);
  const act = async () => {
    const ended = await run(input);
    if (ended.ok) onDone?.(ended.value);
  };
  return (
    <>
      <Button {...button} isPending={busy || isPending} onPress={() => void act()} />
      {failure ? <FailureView failure={failure} {...failed} /> : null}
    </>
  );
}

/** Ends the program to install an update, and says so if work is in progress. */
export function RestartButton() {
  const { t } = useTranslation();
  const [isBusy, setBusy] = useState(false);
  return (
    <>
      {isBusy ? <span role="status">{t('settings.update.busy')}</span> : null}
      <CallButton call="updates.restart" input={{}} onDone={(answer) => setBusy(answer === 'work-running')}>
        {t('settings.update.restart')}
      </CallButton>
    </>
  );
}
