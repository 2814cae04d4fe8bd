import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { type BulkColumn, type BulkColumns, bulkColumns } from '../../../contract/bulk.ts';
import type { Failure } from '../../../contract/failure.ts';
import type { FileToken } from '../../../contract/files.ts';
import type { Draft } from '../../../contract/forms.ts';
import { askValue } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall, useChooseFile } from '../../bridge/use-call.ts';
import { draftStateOf, useUncarriedText } from '../../features/forms/draft-state.ts';
import { Button } from '../../parts/button.tsx';
import { Choice } from '../../parts/choice.tsx';
import { useFormat, visibleName } from '../../parts/format.ts';
import { focusWhenDrawn } from '../../parts/hooks/focus-and-scroll.ts';
import looks from '../../parts/looks.module.css';
import { useGo } from '../../parts/navigation.tsx';
import { Card, Facts } from '../../parts/page.tsx';
import { Problem } from '../../parts/problem.tsx';
import css from './bulk.module.css';

export type Meant = readonly (BulkColumn | null)[];

/** What the columns of the chosen spreadsheet mean: as their headings and values say, until a person says otherwise. */
export function useMeantColumns(table: FileToken | null, columns: Meant | null, say: (next: Meant) => void) {
  const read = useQuery({
    queryKey: ['bulk-columns', table?.token, columns],
    queryFn: () =>
      askValue('bulk.columns', { tableToken: table?.token ?? '', ...(columns ? { columns: [...columns] } : {}) }),
    enabled: table !== null,
    // What was read stays until the same table is read as it is said now.
    placeholderData: (before, query) => (query?.queryKey[1] === table?.token ? before : undefined),
    gcTime: 0,
  });
  const isReady = read.data?.columns.some(({ column }) => column === 'email1') ?? false;
  return { read, say, isReady } as const;
}

/** Each column with its first values and what it means; whoever would be without a name is counted. */
export function ColumnsCard(props: {
  readonly table: FileToken;
  readonly meant: ReturnType<typeof useMeantColumns>;
  /** A plain request takes no names. */
  readonly hasNames: boolean;
}) {
  const { read, say, isReady } = props.meant;
  const { t } = useTranslation();
  const format = useFormat();
  if (read.error) return <FailureView failure={read.error.failure} subject={props.table.name} />;
  const given = read.data;
  if (!given) return null;
  const meant = given.columns.map(({ column }) => column);
  return (
    <Card title={t('bulk.columns')}>
      <p className={looks.hint}>{t('bulk.rows', format.counted(given.rowCount))}</p>
      {given.columns.every(({ heading }) => heading === '') ? (
        <p className={looks.caution} role="status">
          {t('bulk.noHeadings')}
        </p>
      ) : null}
      <ul className={looks.stack} aria-label={t('bulk.columns')}>
        {given.columns.map((column, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: headings may be empty or equal; their place is what tells them apart
          <li key={at} className={css.column}>
            <ColumnMeaning column={column} at={at} onChange={(next) => say(withMeaning(meant, at, next))} />
          </li>
        ))}
      </ul>
      {isReady ? null : <p className={looks.caution}>{t('bulk.noEmailColumn')}</p>}
      {isReady && props.hasNames && given.unnamed > 0 ? (
        <p className={looks.caution} role="status">
          {t('bulk.unnamed', format.counted(given.unnamed))}
        </p>
      ) : null}
    </Card>
  );
}

function ColumnMeaning(props: {
  readonly column: BulkColumns['columns'][number];
  readonly at: number;
  readonly onChange: (column: BulkColumn | null) => void;
}) {
  const { heading, column, values } = props.column;
  const { t } = useTranslation();
  const name = heading || t('bulk.columnNumber', { n: props.at + 1 });
  return (
    <>
      <span className={`${looks.lines} ${looks.small}`}>
        <strong>{name}</strong>
        <span className={`${looks.hint} ${looks.cut}`} title={values.join(' · ')}>
          {values.join(' · ')}
        </span>
      </span>
      <Choice
        hideLabel
        label={t('bulk.meaningOf', { heading: name })}
        value={column ?? 'none'}
        choices={[
          { key: 'none', text: t('bulk.meansNothing') },
          ...bulkColumns.map((key) => ({ key, text: t(`bulk.column.${key}`) })),
        ]}
        onChange={(key) => props.onChange(key === 'none' ? null : key)}
      />
    </>
  );
}

/** A name may be in several columns; anything else is taken from the column that meant it before. */
function withMeaning(meant: Meant, at: number, next: BulkColumn | null): Meant {
  const isShared = next === null || next.startsWith('name');
  return meant.map((column, index) => (index === at ? next : !isShared && column === next ? null : column));
}

/** The values for all rows. The document can be chosen here; everything else is changed in the form. */
export function SameCard(props: {
  readonly draft: Draft;
  /** The check found no document, neither here nor in the spreadsheet. */
  readonly missing: Failure | null;
  readonly onDocument: () => void;
}) {
  const { draft, missing } = props;
  const { content } = draft;
  const { t } = useTranslation();
  const format = useFormat();
  const go = useGo();
  const document = useDocument(draft, props.onDocument);
  const buttons = useRef<HTMLDivElement>(null);
  useEffect(() => (missing ? focusWhenDrawn(() => buttons.current?.querySelector('button')) : undefined), [missing]);
  const isTemplate = content.kind === 'easy-sign-template';
  const hasTexts = [content.documentName, content.customSubject, content.messageToSigners].some(Boolean);
  return (
    <Card title={t('bulk.same')}>
      {hasTexts ? <p className={looks.hint}>{t('bulk.sameText')}</p> : null}
      <Facts
        facts={[
          [t('compose.kind'), isTemplate ? null : t(`compose.kinds.${content.kind}`)],
          [t('compose.template'), isTemplate ? content.templateId || '—' : null],
          [t('compose.file'), isTemplate ? null : draft.file ? visibleName(draft.file.name) : '—'],
          [t('compose.documentName'), content.documentName || null],
          [t('compose.subject'), content.kind === 'plain' ? null : content.customSubject || null],
          [t('compose.message'), content.kind === 'plain' ? null : content.messageToSigners || null],
          [t('compose.notSent'), useUncarriedText(draftStateOf({ ...draft, content: { ...content, recipients: [] } }))],
        ]}
      />
      {draft.missingFiles.length > 0 ? (
        <Problem heading={t('compose.fileGone', { name: format.list(draft.missingFiles) })} />
      ) : null}
      {missing ? <Problem heading={t('bulk.noDocument')} /> : null}
      <div ref={buttons} className={`${looks.line3} ${looks.small}`}>
        {isTemplate ? null : (
          <Button isPending={document.busy} onPress={() => void document.choose()}>
            {t('bulk.choosePdf')}
          </Button>
        )}
        <Button onPress={() => go({ screen: 'compose', draftId: draft.id })}>{t('bulk.edit')}</Button>
      </div>
      {document.failure ? <FailureView failure={document.failure} /> : null}
    </Card>
  );
}

/** Chooses the document of all rows and keeps it in the draft. */
function useDocument({ id, connectionId, content }: Draft, onDocument: () => void) {
  const client = useQueryClient();
  const chooser = useChooseFile('documents');
  const save = useCall('forms.save');
  async function choose() {
    const file = await chooser.choose();
    if (!file) return;
    const saved = await save.run({ place: 'draft', id, connectionId, content: { ...content, fileToken: file.token } });
    if (!saved.ok) return;
    await client.invalidateQueries({ queryKey: ['draft', id] });
    onDocument();
  }
  return { choose, busy: chooser.busy || save.busy, failure: chooser.failure ?? save.failure } as const;
}
