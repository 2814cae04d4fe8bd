import { Users } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { type SharedValue, sharedName } from '../../../contract/shared.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { Button } from '../../parts/button.tsx';
import looks from '../../parts/looks.module.css';
import { Confirm } from '../../parts/overlays/dialog.tsx';
import { Problem } from '../../parts/problem.tsx';
import type { ListedItem, Sharing } from './sharing.ts';

/** Names the colleague who changed a shared thing last. Nothing for what is not shared. */
export function SharedBy(props: { readonly item: ListedItem | null }) {
  const { t } = useTranslation();
  if (!props.item) return null;
  return (
    <span className={`${looks.row1} ${looks.aside}`}>
      <Users aria-hidden="true" />
      {t('team.sharing.by', { person: props.item.by.person })}
    </span>
  );
}

/** Share, share changes, or stop sharing one thing. `own`: what the person saved. Nothing where no team was joined. */
export function ShareButtons(props: {
  readonly sharing: Sharing;
  readonly own: SharedValue | null;
  readonly shared: ListedItem | null;
}) {
  const { sharing, own, shared } = props;
  const { t } = useTranslation();
  const value = own ?? shared?.value;
  const name = value ? sharedName(value) : '';
  return sharing.actionsOf(own, shared).map(({ key, reason, run }) => (
    <Button key={key} kind="quiet" unavailable={reason} of={name} onPress={run}>
      {t(`team.sharing.${key}`)}
    </Button>
  ));
}

/** What went wrong with sharing, and the question about what is for everybody. */
export function SharingState({ sharing }: { readonly sharing: Sharing }) {
  return (
    <>
      {sharing.explained ? <Problem calm heading={sharing.explained} /> : null}
      <SharingFailure sharing={sharing} />
      <Question sharing={sharing} />
    </>
  );
}

function SharingFailure({ sharing: { failure, subject } }: { readonly sharing: Sharing }) {
  const { t } = useTranslation();
  if (!failure) return null;
  if (failure.detail === 'team-away')
    return <Problem calm heading={t('team.sharing.away', { name: subject })} advice={t('team.sharing.awayAdvice')} />;
  // What the window sends is valid: only an amount can be too large.
  if (failure.code === 'bad-input')
    return <Problem heading={t('team.sharing.tooMuch', { name: subject })} advice={t('team.sharing.tooMuchAdvice')} />;
  return <FailureView failure={failure} subject={subject} />;
}

function Question({ sharing }: { readonly sharing: Sharing }) {
  const { t } = useTranslation();
  const { question } = sharing;
  if (!question) return null;
  const value = question.what === 'stop' ? question.item.value : question.value;
  const name = sharedName(value);
  const { person } = question.item.by;
  const isStop = question.what === 'stop';
  const stopText = value.kind === 'answer' ? t('team.sharing.stopAnswerText') : t('team.sharing.stopText');
  return (
    <Confirm
      title={isStop ? t('team.sharing.stopTitle', { name }) : t('team.sharing.replaceTitle', { name })}
      confirm={isStop ? t('team.sharing.stopConfirm') : t('team.sharing.replaceConfirm')}
      busy={sharing.isBusy}
      onConfirm={() => void sharing.decide(question)}
      onClose={sharing.dismiss}
    >
      <p>{isStop ? stopText : t('team.sharing.replaceText', { person })}</p>
    </Confirm>
  );
}
