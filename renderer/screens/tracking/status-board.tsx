import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { type StatusGroup, statusGroups } from '../../../contract/answer.ts';
import type { CallOutput } from '../../../contract/index.ts';
import { askValue } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { Button } from '../../parts/button.tsx';
import { useFormat } from '../../parts/format.ts';
import { useGo } from '../../parts/navigation.tsx';
import { Card } from '../../parts/page.tsx';
import { StatusChip } from '../../parts/status-chip.tsx';
import css from './signatures.module.css';
import { type StatusFilter, useStatusText } from './status-text.ts';

/** Number of documents by status word, one row per word, grouped by meaning. `onShow`: shows the entries with a word or a meaning. */
export function StatusBoard(props: { readonly connectionId: string; readonly onShow: (status: StatusFilter) => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const go = useGo();
  const { connectionId } = props;
  const board = useQuery({
    queryKey: ['tracked', connectionId, 'board'],
    queryFn: () => askValue('tracking.board', { connectionId }),
  });
  const words = board.data?.words ?? [];
  const groups = statusGroups.filter((group) => words.some((word) => word.group === group));
  return (
    <>
      <header className={css.head}>
        <div className={css.headLine}>
          <h1>{t('tracking.board')}</h1>
          <Button onPress={() => go({ screen: 'answers' })}>{t('tracking.toAnswers')}</Button>
        </div>
        <p className={css.about}>{t('tracking.boardText')}</p>
      </header>
      {board.error ? <FailureView failure={board.error.failure} /> : null}
      <div className={css.cards}>
        {groups.map((group) => (
          <GroupCard key={group} group={group} words={words} onShow={props.onShow} />
        ))}
        {board.data && board.data.notAsked > 0 ? (
          <p className={css.about}>
            {t('tracking.notAsked', { count: board.data.notAsked, shown: format.number(board.data.notAsked) })}
          </p>
        ) : null}
      </div>
    </>
  );
}

/** The words of one meaning, each with its number of documents. */
function GroupCard(props: {
  readonly group: StatusGroup;
  readonly words: CallOutput<'tracking.board'>['words'];
  readonly onShow: (status: StatusFilter) => void;
}) {
  const { group } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const textOf = useStatusText();
  const words = props.words
    .filter((word) => word.group === group)
    .map((word) => ({
      ...word,
      shown: t('tracking.documents', { count: word.documents, shown: format.number(word.documents) }),
      text: textOf({ word: word.raw }),
    }));
  return (
    <Card
      title={t(`documents.group.${group}`)}
      actions={
        <Button
          kind="quiet"
          aria-label={t('tracking.showAllOf', { status: textOf({ group }) })}
          onPress={() => props.onShow({ group })}
        >
          {t('tracking.showAll')}
        </Button>
      }
    >
      <ul className={css.words}>
        {words.map((word) => (
          <li key={word.raw ?? ''}>
            <StatusChip
              status={{ raw: word.raw, answer: { kind: 'text', group, meaning: word.meaning }, askedAt: '' }}
            />
            <span>{word.text}</span>
            <Button
              kind="quiet"
              aria-label={t('tracking.showDocuments', { documents: word.shown, status: word.text })}
              onPress={() => props.onShow({ word: word.raw })}
            >
              {word.shown}
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  );
}
