import { useTranslation } from 'react-i18next';
import type { TrackedEntry, TrackedGroup, TrackedSigner } from '../../../contract/tracking.ts';
import { useConnection } from '../../bridge/live.tsx';
import { Button } from '../../parts/button.tsx';
import looks from '../../parts/looks.module.css';
import { MiddleCut } from '../../parts/middle-cut.tsx';
import { addresseeOf, ReminderMail } from './reminder-mail.tsx';
import { UnlistedSignerState } from './request-state.tsx';
import { SignAsButton } from './sign-as.tsx';
import css from './signatures.module.css';
import { SignerState, useWho } from './signer-state.tsx';

/** A signer in the panel of a request: name, address, state, and what can be done; nobody waits or signs while the service has not taken the request. */
export function RequestSigner(props: {
  readonly connectionId: string;
  readonly group: TrackedGroup;
  readonly signer: TrackedSigner;
  readonly list: { readonly name: string } | undefined;
  readonly onChoose: (entry: TrackedEntry) => void;
}) {
  const { connectionId, group, signer } = props;
  const { entry } = signer;
  const { t } = useTranslation();
  const who = useWho();
  const isPractice = useConnection(connectionId)?.kind === 'practice';
  const name = who(signer);
  const to = addresseeOf(group, signer);
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
        ) : group.job === null ? (
          <UnlistedSignerState signer={signer} />
        ) : null}
      </div>
      {signer.name && signer.email ? (
        <span className={looks.said}>
          <MiddleCut text={signer.email} />
        </span>
      ) : null}
      {entry || to ? (
        <div className={looks.line}>
          <ReminderMail connectionId={connectionId} to={to} kind="quiet" />
          {isPractice && entry && !entry.hasSigned ? (
            <SignAsButton connectionId={connectionId} entry={entry} kind="quiet" />
          ) : null}
          {entry ? (
            <Button kind="quiet" of={name} onPress={() => props.onChoose(entry)}>
              {t('tracking.details')}
            </Button>
          ) : null}
        </div>
      ) : null}
    </li>
  );
}
