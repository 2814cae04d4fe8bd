import { useTranslation } from 'react-i18next';
import type { StatusGroup, VerdictGroup } from '../../../contract/answer.ts';
import type { SortedWord } from '../../../contract/answers.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { meaningText } from '../../features/meaning-text.ts';
import { Button } from '../../parts/button.tsx';
import css from './answers.module.css';
import type { SortedThing } from './sort-dialog.tsx';

/** Words with a meaning: built-in ones and those assigned here. */
export function WordTable(props: {
  readonly kind: SortedThing['kind'];
  readonly words: readonly SortedWord<StatusGroup | VerdictGroup>[];
  readonly onSort: (thing: SortedThing) => void;
}) {
  const { kind } = props;
  const { t } = useTranslation();
  const unsort = useCall('answers.unsort');
  const words = props.words.map((one) => (one.source === 'own' ? one : { ...one, meaning: meaningText(t, one) }));
  return (
    <>
      {unsort.failure ? <FailureView failure={unsort.failure} /> : null}
      <table className={css.table}>
        <thead>
          <tr>
            <th>{t('answers.word')}</th>
            <th>{t('answers.group')}</th>
            <th>{t('answers.meaning')}</th>
            <th>{t('answers.source')}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {words.map((one) => (
            <tr key={one.word}>
              <td className={css.word}>{t('common.quote', { text: one.word })}</td>
              <td>{t(`answers.groups.${one.group}`)}</td>
              <td>{one.meaning || '—'}</td>
              <td>{one.source === 'own' ? t('answers.own') : t('answers.builtIn')}</td>
              <td className={css.end}>
                <Button
                  kind="quiet"
                  aria-label={`${t('answers.change')}: ${one.word}`}
                  onPress={() => props.onSort({ kind, word: one.word, group: one.group, meaning: one.meaning })}
                >
                  {t('answers.change')}
                </Button>
                {one.source === 'own' ? (
                  <Button
                    kind="quiet"
                    aria-label={`${t('answers.takeBack')}: ${one.word}`}
                    onPress={() => void unsort.run({ kind, word: one.word })}
                  >
                    {t('answers.takeBack')}
                  </Button>
                ) : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
