import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { statusGroups } from '../../../contract/answer.ts';
import { askValue } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { Button } from '../../parts/button.tsx';
import { useFormat } from '../../parts/format.ts';
import { useGo } from '../../parts/navigation.tsx';
import { Card } from '../../parts/page.tsx';
import { StatusChip } from '../../parts/status-chip.tsx';
import css from './signatures.module.css';
import { type StatusFilter, useStatusText } from './status-text.ts';

/** Where the words of the service stand: one row a word, under its meaning. `onShow`: the entries with a word, or a meaning. */
export function StatusBoard(props: { readonly connectionId: string; readonly onShow: (status: StatusFilter) => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const go = useGo();
  const textOf = useStatusText();
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
          <Card
            key={group}
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
              {words
                .filter((word) => word.group === group)
                .map((word) => ({
                  ...word,
                  shown: t('tracking.documents', { count: word.documents, shown: format.number(word.documents) }),
                  text: textOf({ word: word.raw }),
                }))
                .map((word) => (
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
