import { useTranslation } from 'react-i18next';
import type { TrackedEntry, TrackedSigner } from '../../../contract/tracking.ts';
import { useConnection } from '../../bridge/live.tsx';
import { Button } from '../../parts/button.tsx';
import looks from '../../parts/looks.module.css';
import { ReminderMail } from './reminder-mail.tsx';
import { UnlistedSignerState } from './request-state.tsx';
import { SignAsButton } from './sign-as.tsx';
import css from './signatures.module.css';
import { SignerState, useWho } from './signer-state.tsx';

/** A signer in the panel of a request: name, address, state, and what can be done if a list has the entry. */
export function RequestSigner(props: {
  readonly connectionId: string;
  readonly signer: TrackedSigner;
  readonly list: { readonly name: string } | undefined;
  /** False for a request that the service has not: nobody waits or signs. */
  readonly isSent: boolean;
  readonly onChoose: (entry: TrackedEntry) => void;
}) {
  const { connectionId, signer } = props;
  const { entry } = signer;
  const { t } = useTranslation();
  const who = useWho();
  const isPractice = useConnection(connectionId)?.kind === 'practice';
  const name = who(signer);
  return (
    <li>
      <div className={looks.line}>
        <strong className={looks.wrapped}>
          {entry?.mark ? (
            <span className={css.mark} role="img" aria-label={t('tracking.mark.new')} title={t('tracking.mark.new')} />
          ) : null}
          {name}
        </strong>
        {entry ? (
          <SignerState entry={entry} list={props.list} />
        ) : props.isSent ? (
          <UnlistedSignerState signer={signer} />
        ) : null}
      </div>
      {signer.name && signer.email ? (
        <span className={css.email} dir="ltr">
          {signer.email}
        </span>
      ) : null}
      {entry ? (
        <div className={looks.line}>
          {entry.hasSigned ? null : <ReminderMail connectionId={connectionId} entry={entry} kind="quiet" />}
          {isPractice && !entry.hasSigned ? (
            <SignAsButton connectionId={connectionId} entry={entry} kind="quiet" />
          ) : null}
          <Button kind="quiet" of={name} onPress={() => props.onChoose(entry)}>
            {t('tracking.details')}
          </Button>
        </div>
      ) : null}
    </li>
  );
}
