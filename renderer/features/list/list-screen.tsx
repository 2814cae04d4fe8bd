import { type ReactNode, type Ref, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BatchListFormat } from '../../../contract/documents.ts';
import type { Language } from '../../../contract/languages.ts';
import { languageFor } from '../../../locales/choose-language.ts';
import { Button } from '../../parts/button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { SearchField } from '../../parts/field.tsx';
import { useFormat } from '../../parts/format.ts';
import { useNarrow } from '../../parts/hooks/use-narrow.ts';
import looks from '../../parts/looks.module.css';
import { type Back, PageTitle } from '../../parts/page.tsx';
import css from './list.module.css';

/** Longest search that the core takes. */
const longestSearch = 200;

/** A list and what belongs to it, at the same places on every screen. The panel opens beside the list and below what is above it: nothing moves. */
export function ListScreen(props: {
  readonly title: string;
  readonly back?: Back;
  /** How much there is, and how current. */
  readonly about?: ReactNode;
  readonly actions?: ReactNode;
  /** Notices, counts, tools and what they hide. */
  readonly head: ReactNode;
  /** The list, and what is done with the selected ones. */
  readonly children: ReactNode;
  readonly panel: ReactNode | null;
  readonly ref?: Ref<HTMLDivElement>;
}) {
  return (
    <div ref={props.ref} className={`${css.screen} ${props.panel ? css.withPanel : ''}`}>
      <header className={css.head}>
        <div className={css.headLine}>
          <PageTitle title={props.title} back={props.back} />
          <div className={css.about}>{props.about}</div>
          {props.actions}
        </div>
        {props.head}
      </header>
      <div className={css.list}>{props.children}</div>
      {props.panel}
    </div>
  );
}

/** The search, and whatever else narrows or arranges the list. */
export function ListTools(props: {
  readonly label: string;
  readonly placeholder: string;
  readonly search: string;
  readonly onSearch: (search: string) => void;
  readonly children: ReactNode;
}) {
  const { t } = useTranslation();
  const isNarrow = useNarrow();
  return (
    <search className={looks.line}>
      <div className={css.search}>
        <SearchField
          label={props.label}
          placeholder={isNarrow ? t('band.find') : props.placeholder}
          value={props.search}
          onChange={(search) => props.onSearch(search.slice(0, longestSearch))}
        />
      </div>
      {props.children}
    </search>
  );
}

/** In place of the rows when search and filters hide them all. */
export function NothingFits(props: { readonly onClear: () => void }) {
  const { t } = useTranslation();
  return (
    <Empty kind="filtered" heading={t('list.nothingFits')} text={t('list.nothingFitsText')}>
      <Button onPress={props.onClear}>{t('list.clearFilters')}</Button>
    </Empty>
  );
}

interface SavedFile {
  readonly fileName: string;
  readonly rowCount?: number;
}
type Saved = { readonly ok: false } | { readonly ok: true; readonly value: SavedFile | null };

/** A menu that saves in the format chosen from it, with what it says then: of a view how many rows it has. `save` resolves with null if the person chose no file. */
export function useSaveMenu<F extends BatchListFormat>(
  formats: readonly F[],
  save: (how: { readonly format: F; readonly language: Language }) => Promise<Saved>,
) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const [saved, setSaved] = useState<string | null>(null);
  async function onChoose(chosen: F) {
    setSaved(null);
    const end = await save({ format: chosen, language: languageFor(i18n.language, []) });
    if (!end.ok || !end.value) return;
    const { fileName: name, rowCount } = end.value;
    const rows = rowCount === undefined ? null : t('bulk.rows', format.counted(rowCount));
    setSaved([t('jobs.listSaved', { name }), rows].filter(Boolean).join(' · '));
  }
  const textOf = (format: BatchListFormat) => t(`jobs.listFormats.${format}`);
  const choices = formats.map((key) => ({ key, text: textOf(key) }));
  return { saved, menu: { choices, onChoose: (format: F) => void onChoose(format) } };
}
