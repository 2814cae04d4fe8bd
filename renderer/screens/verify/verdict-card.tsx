import { ChevronRight } from 'lucide-react';
import { Button as AriaButton } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import type { PdfSignatures } from '../../../contract/pdf-signatures.ts';
import type { VerifyResult } from '../../../contract/verify-result.ts';
import { canTryAgain } from '../../../locales/answer-meaning.ts';
import { mayBeSigned } from '../../../locales/own-verdict.ts';
import { useConnection } from '../../bridge/live.tsx';
import { Button } from '../../parts/button.tsx';
import { Chip, ToneIcon } from '../../parts/chip.tsx';
import { useFormat, visibleName } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { MiddleCut } from '../../parts/middle-cut.tsx';
import {
  contradictionText,
  headingOf,
  hintsOf,
  isContradicted,
  isLookedAt,
  originText,
  ownTones,
} from './result-texts.ts';
import { verdictLook } from './verdict-tones.ts';
import css from './verify.module.css';

interface VerdictCardProps {
  readonly result: VerifyResult;
  /** The connection that is asked; null until the run is known. */
  readonly connectionId: string | null;
  /** True where results were asked for at different times: the run's own time does not tell. */
  readonly hasOwnTime: boolean;
  /** Its details are shown beside the list. */
  readonly isOpen: boolean;
  readonly onDetails: () => void;
  readonly onTryAgain: () => void;
  readonly onSort: (word: string) => void;
}

/** The answer about one file on one line: its name, the meaning, and in short what else is known, which the panel says whole. */
export function VerdictCard(props: VerdictCardProps) {
  const { result } = props;
  const { t } = useTranslation();
  const isGone = result.change === 'gone';
  const isAnswered = result.state === 'answered' && !isGone;
  const isRead = isAnswered || isLookedAt(result);
  const group = isAnswered ? (result.answer?.group ?? 'no-answer') : null;
  const unanswered = { tone: 'silent', icon: isGone ? 'minus' : isRead ? 'dashed' : 'clock' } as const;
  const look = group ? verdictLook(group, result.finding) : unanswered;
  const own = isRead && result.signatures && mayBeSigned(result.signatures) ? result.signatures : null;
  const contradiction = own && isContradicted(result) ? own : null;
  const hints = useHints(props, isRead, contradiction);
  return (
    <article
      className={css.card}
      aria-label={result.name}
      title={[visibleName(result.name), ...hints].join(' · ')}
      data-open={props.isOpen ? '' : undefined}
    >
      <ToneIcon {...(contradiction ? { tone: 'remark' } : look)} />
      <strong>
        <MiddleCut text={result.name} />
      </strong>
      <h2 className={looks.twoLines}>{contradiction ? t('own.disagree') : headingOf(t, result)}</h2>
      <div className={css.hints}>
        {own ? <Chip {...ownTones[own.verdict]}>{t(`own.verdict.${own.verdict}`)}</Chip> : null}
        <p className={looks.cut}>
          {hints.map((hint) => (
            <span key={hint}>{hint}</span>
          ))}
        </p>
      </div>
      <Actions {...props} isRead={isRead} isAnswered={isAnswered} />
    </article>
  );
}

/** What is said beside the heading, the most important first: what contradicts the answer, what the file was, the service's words, where the file is, and local knowledge. */
function useHints(props: VerdictCardProps, isRead: boolean, contradiction: PdfSignatures | null): string[] {
  const { result, connectionId } = props;
  const { knownHere, origin } = result;
  const { t } = useTranslation();
  const format = useFormat();
  const knownBy = useConnection(knownHere?.connectionId ?? '')?.name ?? t('documents.gone');
  const isElsewhere = knownHere !== null && connectionId !== null && knownHere.connectionId !== connectionId;
  const isQuoted = result.raw && result.change !== 'gone' && !result.answer?.code && !result.finding;
  return [
    contradiction && contradictionText(t, contradiction),
    // What the service gave us may have its seal behind what was registered.
    isRead && origin && !knownHere && !result.downloadedHere ? originText(t, format, origin) : null,
    isQuoted ? t('common.quote', { text: result.raw }) : null,
    result.folder ? visibleName(result.folder) : null,
    ...hintsOf(t, format, result, isElsewhere ? knownBy : null),
  ].filter((hint) => hint !== null);
}

/** What a person may have to do about it, and the button that opens its details from anywhere on the line. */
function Actions(props: VerdictCardProps & { readonly isRead: boolean; readonly isAnswered: boolean }) {
  const { result, isAnswered } = props;
  const { answer } = result;
  const { t } = useTranslation();
  const format = useFormat();
  const unsorted = result.qualification?.reason === 'unsorted-word' ? result.raw : null;
  return (
    <div className={css.side}>
      {result.askedAt && props.hasOwnTime ? (
        <time dateTime={result.askedAt}>{format.moment(result.askedAt)}</time>
      ) : null}
      {isAnswered && unsorted !== null ? (
        <Button kind="quiet" onPress={() => props.onSort(unsorted)}>
          {t('verify.sort')}
        </Button>
      ) : null}
      {isAnswered && (!answer || canTryAgain(answer)) ? (
        <Button kind="quiet" onPress={props.onTryAgain}>
          {t('common.tryAgain')}
        </Button>
      ) : null}
      {props.isRead ? (
        <AriaButton
          className={css.open ?? ''}
          aria-label={t('common.details')}
          data-opens=""
          aria-current={props.isOpen ? 'true' : undefined}
          onPress={props.onDetails}
        >
          <ChevronRight aria-hidden="true" />
        </AriaButton>
      ) : null}
    </div>
  );
}
