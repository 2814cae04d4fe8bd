import { PenLine } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { TrackedEntry, TrackedGroup, TrackedSigner } from '../../../contract/tracking.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useConnection } from '../../bridge/live.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { Button } from '../../parts/button.tsx';
import { visibleName } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { MiddleCut } from '../../parts/middle-cut.tsx';
import { addresseeOf, ReminderMail } from './reminder-mail.tsx';
import css from './signatures.module.css';
import { UnlistedSignerState, useSignerState, useWho } from './state-chips.tsx';

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
  const signerState = useSignerState();
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
        {entry ? signerState(entry, props.list) : group.job === null ? <UnlistedSignerState signer={signer} /> : null}
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

interface SignAsProps {
  readonly connectionId: string;
  readonly entry: TrackedEntry;
}

/** For the practice connection only: signs as a signer; lists and statuses follow. */
export function SignAs(props: SignAsProps) {
  const { t } = useTranslation();
  if (!isSignable(props.entry)) return null;
  return (
    <>
      <h3>{t('tracking.practice')}</h3>
      <p className={looks.hint}>{t('tracking.practiceText')}</p>
      <SignAsButton {...props} />
    </>
  );
}

function isSignable({ documentId, origDocumentId, email }: TrackedEntry): boolean {
  return Boolean((origDocumentId ?? documentId) && email);
}

/** As `SignAs`, without the words around it. */
function SignAsButton(props: SignAsProps & { readonly kind?: 'plain' | 'quiet' }) {
  const { entry, connectionId } = props;
  const { t } = useTranslation();
  const sign = useCall('practice.signAs');
  const refresh = useCall('tracking.refresh');
  const { documentId, origDocumentId, email } = entry;
  const signed = origDocumentId ?? documentId;
  const who = visibleName(entry.name || email || '');

  async function signNow() {
    if (!signed || !email) return;
    const done = await sign.run({ connectionId, documentId: signed, email });
    if (done.ok) await refresh.run({ connectionId });
  }

  if (!isSignable(entry)) return null;
  return (
    <>
      <div className={looks.wrapped}>
        <Button
          kind={props.kind ?? 'plain'}
          icon={<PenLine aria-hidden="true" />}
          isPending={sign.busy}
          onPress={() => void signNow()}
        >
          <MiddleCut isSentence text={t('tracking.signAs', { who })} name={who} />
        </Button>
      </div>
      {sign.failure ? <FailureView failure={sign.failure} /> : null}
    </>
  );
}
