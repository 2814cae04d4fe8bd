import { type ReactNode, useState } from 'react';
import type { CallInput, CallName, CallOutput } from '../../contract/index.ts';
import { FailureView } from '../bridge/failure-view.tsx';
import { useCall } from '../bridge/use-call.ts';
import { Button } from '../parts/button.tsx';
import { Confirm } from '../parts/overlays/dialog.tsx';

/** A button whose call is made after a question, which says what comes of it. The question stays while the call fails, with the reason. */
export function ConfirmedCall<N extends CallName>(props: {
  readonly call: N;
  readonly input: CallInput<N>;
  readonly text: string;
  readonly isQuiet?: boolean;
  readonly isDisabled?: boolean;
  /** As `text`, unless given. */
  readonly title?: string;
  readonly confirm?: string;
  readonly danger?: boolean;
  readonly onDone?: (value: CallOutput<N>) => void;
  readonly children: ReactNode;
}) {
  const { text, title = text, confirm = text, danger = false, isDisabled = false } = props;
  const { run, busy, failure } = useCall(props.call);
  const [isAsking, setAsking] = useState(false);
  const act = async () => {
    const ended = await run(props.input);
    if (!ended.ok) return;
    setAsking(false);
    props.onDone?.(ended.value);
  };
  return (
    <>
      <Button kind={props.isQuiet ? 'quiet' : 'plain'} isDisabled={isDisabled} onPress={() => setAsking(true)}>
        {text}
      </Button>
      {isAsking ? (
        <Confirm {...{ title, confirm, danger, busy }} onConfirm={() => void act()} onClose={() => setAsking(false)}>
          {props.children}
          {failure ? <FailureView failure={failure} /> : null}
        </Confirm>
      ) : null}
    </>
  );
}
