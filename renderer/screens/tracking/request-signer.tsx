import { Button } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import type { TrackedEntry, TrackedList, TrackedSigner } from '../../../contract/tracking.ts';
import { useConnection } from '../../bridge/live.tsx';
import { Button as ActionButton } from '../../parts/button.tsx';
import { useFormat } from '../../parts/format.ts';
import { ReminderMail } from './reminder-mail.tsx';
import { UnlistedSignerState } from './request-state.tsx';
import css from './requests.module.css';
import { SignAsButton } from './sign-as.tsx';
import { SignerState, useWho } from './signer-state.tsx';

interface SignerProps {
  readonly connectionId: string;
  readonly signer: TrackedSigner;
  readonly list: TrackedList | undefined;
  readonly isChosen: boolean;
  readonly isFull: boolean;
  /** False for a request that the service has not: nobody waits or signs. */
  readonly isSent: boolean;
  readonly onChoose: (entry: TrackedEntry) => void;
}

/**
 * A signer on the card of a request: name and state; `isFull`: also address, day, and what can be done, as an entry. Selecting it opens the entry
 * beside the list, if a list has one.
 */
export function RequestSigner(props: SignerProps) {
  const { signer, isFull } = props;
  const { entry } = signer;
  const { t } = useTranslation();
  const format = useFormat();
  const className = isFull ? `${css.person} ${css.entry}` : (css.person ?? '');
  if (entry === null)
    return (
      <li>
        <div className={className}>
          <Who signer={signer} isFull={isFull} />
          {props.isSent ? <UnlistedSignerState signer={signer} /> : null}
        </div>
      </li>
    );
  return (
    <li>
      <Button
        className={className}
        aria-current={props.isChosen ? 'true' : undefined}
        onPress={() => props.onChoose(entry)}
      >
        <Who signer={signer} isFull={isFull} />
        <SignerState entry={entry} list={props.list} />
        {isFull && entry.createdAt ? (
          <time className={css.sent}>{t('tracking.sentOn', { time: format.momentInText(entry.createdAt) })}</time>
        ) : null}
      </Button>
      {isFull ? <Actions {...props} entry={entry} /> : null}
    </li>
  );
}

function Who(props: Pick<SignerProps, 'signer' | 'isFull'>) {
  const { signer, isFull } = props;
  const { t } = useTranslation();
  const who = useWho();
  return (
    <span className={css.who}>
      {signer.entry?.mark ? (
        <span className={css.dot} role="img" aria-label={t('tracking.mark.new')} title={t('tracking.mark.new')} />
      ) : null}
      {who(signer)}
      {isFull && signer.name ? <span className={css.email}>{signer.email}</span> : null}
    </span>
  );
}

/** What a person does next with a signer. */
function Actions(props: {
  readonly connectionId: string;
  readonly entry: TrackedEntry;
  readonly onChoose: (entry: TrackedEntry) => void;
}) {
  const { entry, connectionId } = props;
  const { t } = useTranslation();
  const isPractice = useConnection(connectionId)?.kind === 'practice';
  return (
    <div className={css.actions}>
      {entry.hasSigned ? null : <ReminderMail connectionId={connectionId} entry={entry} kind="quiet" />}
      {isPractice && !entry.hasSigned ? <SignAsButton connectionId={connectionId} entry={entry} kind="quiet" /> : null}
      <ActionButton kind="quiet" onPress={() => props.onChoose(entry)}>
        {t('tracking.details')}
      </ActionButton>
    </div>
  );
}
