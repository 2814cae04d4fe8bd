import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { VerifyResult } from '../../../contract/verify.ts';
import { codeText, failureText } from '../../bridge/failure-text.ts';
import { Button } from '../../parts/button.tsx';
import { Badge } from '../../parts/chip.tsx';
import { useFormat } from '../../parts/format.ts';
import { MiddleCut } from '../../parts/middle-cut.tsx';
import { verdictTones } from './verdict-tones.ts';
import css from './verify.module.css';

/** One file's answer: what it means, the service's own words, and what this computer knows. */
export function VerdictCard(props: {
  readonly result: VerifyResult;
  readonly isOpen: boolean;
  readonly onDetails: () => void;
  readonly onTryAgain: () => void;
}) {
  const { result } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const group = result.answer?.group ?? (result.failure ? 'no-answer' : null);
  return (
    <article className={`${css.card} ${props.isOpen ? css.open : ''}`} aria-label={result.name}>
      <Badge tone={group ? verdictTones[group] : 'silent'} icon={group ? undefined : 'clock'} />
      <div className={css.middle}>
        <h2 className={css.heading}>{headingOf(t, result)}</h2>
        <p className={css.words}>
          <strong>
            <MiddleCut text={result.name} />
          </strong>
          {result.raw ? <span>· {t('common.quote', { text: result.raw })}</span> : null}
        </p>
        <p className={css.hint}>{useHint(result)}</p>
      </div>
      <div className={css.side}>
        {result.askedAt ? (
          <time dateTime={result.askedAt} title={format.fullMoment(result.askedAt)}>
            {format.moment(result.askedAt)}
          </time>
        ) : null}
        {group === 'no-answer' && result.state === 'answered' ? (
          <Button kind="quiet" onPress={props.onTryAgain}>
            {t('common.tryAgain')}
          </Button>
        ) : null}
        {result.state === 'answered' ? (
          <Button kind="quiet" aria-expanded={props.isOpen} onPress={props.onDetails}>
            {t('common.details')}
          </Button>
        ) : null}
      </div>
    </article>
  );
}

/** The sentence for an answer; nothing that was not asked sounds like an answer. */
export function headingOf(t: TFunction, result: VerifyResult): string {
  if (result.state === 'pending') return t('verify.pending');
  if (result.state === 'asking') return t('verify.askingOne');
  const code = result.failure?.code;
  if (code === 'file-unreadable' || code === 'file-changed') return t('verify.notChecked');
  const group = result.answer?.group ?? 'no-answer';
  // It did answer, but with a code that says nothing about the file: not the same as silence.
  if (group === 'no-answer' && result.raw !== null) return t('verify.noVerdict');
  return t(`verify.group.${group}`);
}

function useHint(result: VerifyResult): string {
  const { t } = useTranslation();
  const format = useFormat();
  if (result.state !== 'answered') return format.bytes(result.sizeBytes);
  const group = result.answer?.group ?? 'no-answer';
  if (result.failure) {
    const text = failureText(t, result.failure);
    return [`${text.heading}.`, text.words, t('verify.saysNothing')].filter(Boolean).join(' ');
  }
  const known = result.knownHere;
  const here = known
    ? t(known.clientId ? 'verify.knownWithReference' : 'verify.known', {
        date: format.date(known.registeredAt),
        name: known.name,
        reference: known.clientId,
      })
    : null;
  const code = result.answer?.code ? codeText(t, result.answer.code) : null;
  if (group === 'no-answer') return [code, t('verify.saysNothing')].filter(Boolean).join(' ');
  if (group === 'not-confirmed') {
    return [here ? `${here}.` : t('verify.notKnown'), code, t('verify.notConfirmedHint')].filter(Boolean).join(' ');
  }
  if (group === 'unclear') return [code, t('verify.unclearHint')].filter(Boolean).join(' ');
  if (group === 'confirmed-with-remark') return [here, t('verify.remarkHint')].filter(Boolean).join(' · ');
  return here ?? t('verify.notKnown');
}
