import { ListBox, ListBoxItem } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import type { Place } from '../../features/help.ts';
import looks from '../../parts/looks.module.css';
import { Marked } from './guide-text.tsx';
import css from './help.module.css';
import { type Guide, searchGuide } from './load-guide.ts';

interface Row {
  readonly id: string;
  readonly title: string;
  readonly line: string;
  readonly place: Place;
}

/** The topics of Help; while something is searched for, the places of the guide where it occurs. Arrow keys move in it from the search field. */
export function Topics(props: {
  readonly guide: Guide | undefined;
  readonly words: readonly string[];
  readonly query: string;
  readonly place: Place;
  /** No row is marked as chosen, so that the shown one can be chosen too. */
  readonly isChoosing: boolean;
  readonly onOpen: (place: Place) => void;
}) {
  const { t } = useTranslation();
  const { guide, words, place } = props;
  const isSearch = words.length > 0;
  const rows = useRows(guide, words);
  const nothing = t('help.nothing', { text: props.query });
  const shown = 'anchor' in place && isSearch ? `${place.topic}#${place.anchor}` : place.topic;
  return (
    <nav className={css.topics} aria-label={t('help.topics')}>
      <p className={css.count} role="status">
        {isSearch && guide ? (rows.length > 0 ? t('help.results', { count: rows.length }) : nothing) : ''}
      </p>
      {isSearch && rows.length === 0 ? null : (
        <ListBox
          aria-label={isSearch ? t('help.resultList') : t('help.topics')}
          items={rows}
          className={css.rows ?? ''}
          selectionMode="single"
          disallowEmptySelection
          selectedKeys={!props.isChoosing && rows.some(({ id }) => id === shown) ? [shown] : []}
          onSelectionChange={(keys) => {
            const row = rows.find(({ id }) => keys !== 'all' && keys.has(id));
            if (row) props.onOpen(row.place);
          }}
          // Rows are drawn again when the marked words or the marked row change.
          dependencies={[words.join(' '), shown]}
        >
          {(row) => (
            <ListBoxItem id={row.id} textValue={row.title} className={css.row ?? ''}>
              <span>
                <Marked text={row.title} words={words} />
              </span>
              {row.line ? (
                <small className={looks.twoLines}>
                  <Marked text={row.line} words={words} />
                </small>
              ) : null}
            </ListBoxItem>
          )}
        </ListBox>
      )}
    </nav>
  );
}

function useRows(guide: Guide | undefined, words: readonly string[]): readonly Row[] {
  const { t } = useTranslation();
  const sections = guide?.sections ?? [];
  if (words.length > 0) {
    return searchGuide(sections, words).map(({ section, anchor, title, line }) => ({
      id: `${section}#${anchor}`,
      title,
      line,
      place: { topic: section, anchor },
    }));
  }
  return [
    { id: 'tour', title: t('help.firstSteps'), line: '', place: { topic: 'tour' } },
    { id: 'shortcuts', title: t('help.shortcuts'), line: '', place: { topic: 'shortcuts' } },
    ...sections.map(({ id, parts }) => ({
      id,
      title: parts[0].title,
      line: '',
      place: { topic: id, anchor: null } as const,
    })),
    { id: 'about', title: t('help.about'), line: '', place: { topic: 'about' } },
  ];
}
