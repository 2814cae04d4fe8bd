import { Button } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import type { TrackedEntry, TrackedList } from '../../../contract/tracking.ts';
import { useConnection } from '../../bridge/live.tsx';
import { Button as ActionButton } from '../../parts/button.tsx';
import { useFormat } from '../../parts/format.ts';
import { ReminderMail } from './reminder-mail.tsx';
import css from './requests.module.css';
import { SignAsButton } from './sign-as.tsx';
import { SignerState, useWho } from './signer-state.tsx';

/**
 * A signer on the card of a request: name and state; `isFull`: also address, day, and what can be done, as an entry. Selecting it opens the entry
 * beside the list.
 */
export function RequestSigner(props: {
  readonly connectionId: string;
  readonly entry: TrackedEntry;
  readonly list: TrackedList | undefined;
  readonly isChosen: boolean;
  readonly isFull: boolean;
  readonly onChoose: (entry: TrackedEntry) => void;
}) {
  const { entry, isFull } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const who = useWho();
  return (
    <li>
      <Button
        className={isFull ? `${css.person} ${css.entry}` : (css.person ?? '')}
        aria-current={props.isChosen ? 'true' : undefined}
        onPress={() => props.onChoose(entry)}
      >
        <span className={css.who}>
          {entry.mark === null ? null : (
            <span className={css.dot} role="img" aria-label={t('tracking.mark.new')} title={t('tracking.mark.new')} />
          )}
          {who(entry)}
          {isFull && entry.name ? <span className={css.email}>{entry.email}</span> : null}
        </span>
        <SignerState entry={entry} list={props.list} />
        {isFull && entry.createdAt ? (
          <time className={css.sent}>{t('tracking.sentOn', { time: format.momentInText(entry.createdAt) })}</time>
        ) : null}
      </Button>
      {isFull ? <Actions {...props} /> : null}
    </li>
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
