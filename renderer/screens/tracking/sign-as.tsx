import { PenLine } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { TrackedEntry } from '../../../contract/tracking.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { Button } from '../../parts/button.tsx';
import looks from '../../parts/looks.module.css';
import { MiddleCut } from '../../parts/middle-cut.tsx';
import { visibleName } from '../../parts/visible-name.ts';

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
export function SignAsButton(props: SignAsProps & { readonly kind?: 'plain' | 'quiet' }) {
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
