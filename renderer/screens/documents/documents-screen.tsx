import { type ReactNode, useDeferredValue, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCurrentConnection, useLive } from '../../bridge/live.tsx';
import { type DocumentQuery, useDocuments } from '../../bridge/queries.ts';
import { Button } from '../../parts/button.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Empty } from '../../parts/empty.tsx';
import { SearchField } from '../../parts/field.tsx';
import { useFormat } from '../../parts/format.ts';
import { useGo } from '../../parts/navigation.tsx';
import { Page } from '../../parts/page.tsx';
import { DocumentPanel } from './document-panel.tsx';
import { DocumentTable, type Sorting } from './document-table.tsx';
import css from './documents.module.css';
import { OpenById } from './open-by-id.tsx';

type Scope = 'current' | 'all';

/** What was registered from here: search, table, and everything about one document beside. */
export function DocumentsScreen(props: { readonly search: string; readonly openById: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  const connection = useCurrentConnection();
  const several = useLive().connections.connections.length > 1;
  const [search, setSearch] = useState(props.search);
  // Someone who comes for one document finds it, whichever connection it went to.
  const [scope, setScope] = useState<Scope>(props.search === '' ? 'current' : 'all');
  const [sorting, setSorting] = useState<Sorting>({ sort: 'registeredAt', descending: true });
  const [chosen, setChosen] = useState<string | null>(null);
  const [opening, setOpening] = useState(props.openById);
  const asked: DocumentQuery = {
    search: useDeferredValue(search),
    ...sorting,
    ...(scope === 'current' ? { connectionId: connection.id } : {}),
  };
  const documents = useDocuments(asked);
  const only = props.search !== '' && documents.rows.length === 1 ? documents.rows[0] : undefined;
  const shown = documents.rows.find((row) => row.id === chosen) ?? (chosen === null ? only : undefined);

  return (
    <div className={`${css.split} ${shown ? css.withPanel : ''}`}>
      <Page
        title={t('documents.title')}
        lead={t('documents.lead', { count: documents.total, shown: format.number(documents.total) })}
        fill
        actions={<Button onPress={() => setOpening(true)}>{t('documents.openById')}</Button>}
      >
        <div className={css.tools}>
          <SearchField
            label={t('documents.search')}
            placeholder={t('documents.searchPlaceholder')}
            value={search}
            onChange={setSearch}
          />
          {several ? (
            <Choice
              label={t('documents.scope')}
              hideLabel
              value={scope}
              onChange={setScope}
              choices={[
                { key: 'current', text: t('documents.scopeCurrent', { name: connection.name }) },
                { key: 'all', text: t('documents.scopeAll') },
              ]}
            />
          ) : null}
        </div>
        <Body
          documents={documents}
          search={search}
          clearSearch={() => setSearch('')}
          table={
            <DocumentTable
              rows={documents.rows}
              sorting={sorting}
              onSort={setSorting}
              chosen={shown?.id ?? null}
              onChoose={setChosen}
              onEnd={documents.loadMore}
              isLoadingMore={documents.query.isFetchingNextPage}
            />
          }
        />
      </Page>
      {shown ? <DocumentPanel key={shown.id} row={shown} onClose={() => setChosen('')} /> : null}
      {opening ? (
        <OpenById
          onClose={() => setOpening(false)}
          onOpened={(row) => {
            setOpening(false);
            setSearch('');
            setScope('current');
            setChosen(row.id);
          }}
        />
      ) : null}
    </div>
  );
}

/** The table, or which of the reasons there is none. */
function Body(props: {
  readonly documents: ReturnType<typeof useDocuments>;
  readonly search: string;
  readonly clearSearch: () => void;
  readonly table: ReactNode;
}) {
  const { t } = useTranslation();
  const go = useGo();
  const { rows, query } = props.documents;
  if (query.error) {
    return (
      <>
        <FailureView failure={query.error.failure} subject={t('documents.failedHeading')}>
          <Button onPress={() => void query.refetch()}>{t('common.tryAgain')}</Button>
        </FailureView>
        {rows.length > 0 ? props.table : null}
      </>
    );
  }
  if (query.isPending) return <p role="status">{t('common.loading')}</p>;
  if (rows.length > 0) return props.table;
  if (props.search !== '') {
    return (
      <Empty
        kind="filtered"
        heading={t('documents.hiddenHeading', { text: props.search })}
        text={t('documents.hiddenText')}
      >
        <Button onPress={props.clearSearch}>{t('documents.clearSearch')}</Button>
      </Empty>
    );
  }
  return (
    <Empty kind="nothing-yet" heading={t('documents.emptyHeading')} text={t('documents.emptyText')}>
      <Button kind="primary" onPress={() => go({ screen: 'start' })}>
        {t('documents.toStart')}
      </Button>
    </Empty>
  );
}
