import { useTranslation } from 'react-i18next';
import { FailureView } from '../../bridge/failure-view.tsx';
import { meaningText } from '../../features/jobs/meaning-text.ts';
import type { SortedThing } from '../../features/jobs/sort-answer.tsx';
import { useRemoval } from '../../features/removal.ts';
import type { Sharing } from '../../features/team/sharing.ts';
import { ShareButtons, SharedBy } from '../../features/team/sharing-parts.tsx';
import { Button } from '../../parts/button.tsx';
import css from './answers.module.css';
import type { KnownWord } from './known-words.ts';

/** Words with a meaning: built-in ones, those set here, and those that the team shares. */
export function WordTable(props: {
  readonly kind: SortedThing['kind'];
  readonly words: readonly KnownWord[];
  readonly sharing: Sharing;
  readonly onSort: (thing: SortedThing) => void;
}) {
  const { kind } = props;
  const { t } = useTranslation();
  const unsort = useRemoval('answers.unsort');
  const words = props.words.map((one) =>
    one.source === 'own' ? one : { ...one, meaning: meaningText(t, { meaning: one.meaning }) },
  );
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
            <WordRow
              key={one.word}
              one={one}
              sharing={props.sharing}
              onSort={() => props.onSort({ kind, word: one.word, group: one.group, meaning: one.meaning })}
              onUnsort={(quoted) =>
                void unsort.run({ kind, word: one.word }, quoted, t('common.changed', { name: quoted }))
              }
            />
          ))}
        </tbody>
      </table>
    </>
  );
}

function WordRow(props: {
  readonly one: KnownWord;
  readonly sharing: Sharing;
  readonly onSort: () => void;
  readonly onUnsort: (quoted: string) => void;
}) {
  const { one } = props;
  const { t } = useTranslation();
  const quoted = t('common.quote', { text: one.word });
  return (
    <tr>
      <td className={css.word}>{quoted}</td>
      <td>{t(`answers.groups.${one.group}`)}</td>
      <td>{one.meaning || '—'}</td>
      <td>
        {one.source === 'team' ? null : one.source === 'own' ? t('answers.own') : t('answers.builtIn')}
        <SharedBy item={one.shared} />
      </td>
      <td className={css.end}>
        <Button kind="quiet" of={one.word} onPress={props.onSort}>
          {t('answers.change')}
        </Button>
        {one.source === 'own' ? (
          <Button kind="quiet" of={one.word} onPress={() => props.onUnsort(quoted)}>
            {t('answers.takeBack')}
          </Button>
        ) : null}
        {one.source === 'built-in' ? null : <ShareButtons sharing={props.sharing} own={one.own} shared={one.shared} />}
      </td>
    </tr>
  );
}
