import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Bulk } from '../../../contract/bulk.ts';
import type { Connection } from '../../../contract/connections.ts';
import type { FileToken } from '../../../contract/files.ts';
import type { Draft } from '../../../contract/forms.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCurrentConnection } from '../../bridge/live.tsx';
import { useIntake } from '../../bridge/queries.ts';
import { useCall } from '../../bridge/use-call.ts';
import { CallButton } from '../../features/call-button.tsx';
import { fileCountOf, mergeFiles, useDropTarget } from '../../features/files/dropped.ts';
import { type Rejected, RejectedFiles, useTakeFiles } from '../../features/files/taken-files.tsx';
import { useSaveMenu } from '../../features/list/list-screen.tsx';
import { useDraftForm } from '../../features/signature-queries.ts';
import { Button } from '../../parts/button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { SecretWordField } from '../../parts/field.tsx';
import { visibleName } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { useGo } from '../../parts/navigation.tsx';
import { MenuButton } from '../../parts/overlays/menu-button.tsx';
import { Card } from '../../parts/page.tsx';
import { ColumnsCard, type Meant, SameCard, useMeantColumns } from './columns-card.tsx';

/** What a person chose for a bulk, which is there when they come back from its rows, and its last check. */
export interface SetupInput {
  readonly table: FileToken | null;
  /** What its columns were said to mean; null: as they say. */
  readonly columns: Meant | null;
  readonly files: readonly FileToken[];
  /** As typed here; null: as it is kept with the draft. */
  readonly secretWord: string | null;
  readonly checked: Pick<Bulk, 'id' | 'fileName'> | null;
}
export const nothingChosen: SetupInput = { table: null, columns: null, files: [], secretWord: null, checked: null };

interface SetupProps {
  readonly input: SetupInput;
  readonly onInput: (changed: Partial<SetupInput>) => void;
  readonly onChecked: (bulk: Bulk) => void;
}

/** The values for all rows, the spreadsheet, and the documents that its rows name. */
export function BulkSetup(props: SetupProps & { readonly draftId: string | null }) {
  const { t } = useTranslation();
  const go = useGo();
  const draft = useDraftForm(props.draftId);
  if (props.draftId === null) {
    return (
      <Empty kind="nothing-yet" heading={t('bulk.noDraft')} text={t('bulk.sameText')}>
        <Button kind="primary" onPress={() => go({ screen: 'compose' })}>
          {t('bulk.toForm')}
        </Button>
      </Empty>
    );
  }
  if (draft.error) return <FailureView failure={draft.error.failure} />;
  if (!draft.data) return <p role="status">{t('common.loading')}</p>;
  return <Setup {...props} draft={draft.data} />;
}

function Setup(props: SetupProps & { readonly draft: Draft }) {
  const { draft, onInput } = props;
  const { table, columns, files, secretWord } = props.input;
  const { t } = useTranslation();
  const { check, intake, checkNow } = useCheck(props);
  const meant = useMeantColumns(table, columns, (next) => onInput({ columns: next }));
  const hasNoDocument = check.failure?.fields?.fileToken !== undefined;
  const setTable = (next: FileToken) => onInput({ table: next, columns: null });
  const addFiles = (more: readonly FileToken[]) => onInput({ files: mergeFiles(files, more) });
  const takesFiles = draft.content.kind !== 'easy-sign-template';
  const rejected = useDroppedFiles({ onTable: setTable, onFiles: takesFiles ? addFiles : null });

  return (
    <div className={looks.narrow}>
      <RejectedFiles rejected={rejected} />
      <SameCard draft={draft} missing={hasNoDocument ? check.failure : null} onDocument={check.clear} />
      {draft.content.kind === 'plain' ? (
        <Card title={t('compose.secretWord')}>
          <SecretWordField
            label={t('bulk.secretWord')}
            word={secretWord}
            isKept={draft.hasSecretWord}
            onChange={(word) => onInput({ secretWord: word })}
          />
        </Card>
      ) : null}
      <TableCard table={table} onTable={setTable} />
      {table ? <ColumnsCard table={table} meant={meant} hasNames={draft.content.kind !== 'plain'} /> : null}
      {takesFiles ? <FilesCard count={intake.data?.fileCount ?? 0} onFiles={addFiles} /> : null}
      {intake.error ? <FailureView failure={intake.error.failure} /> : null}
      {check.failure && !hasNoDocument ? (
        <FailureView failure={check.failure} {...(table ? { subject: table.name } : {})} />
      ) : null}
      {table ? (
        <div>
          <Button
            kind="primary"
            isDisabled={intake.isLooking || !meant.isReady}
            isPending={check.busy || meant.read.isLoading}
            onPress={() => void checkNow()}
          >
            {t('bulk.check')}
          </Button>
        </div>
      ) : null}
    </div>
  );
}

function useCheck({ draft, input, onInput, onChecked }: SetupProps & { readonly draft: Draft }) {
  const { table, columns, files, secretWord, checked: before } = input;
  const client = useQueryClient();
  const connection = useCurrentConnection();
  const intake = useIntake(files, 'register');
  const check = useCall('bulk.check');
  async function checkNow() {
    if (!table) return;
    // A person who checks again has corrected something, so neither spreadsheet nor files may come from an earlier scan.
    const seen = files.length > 0 ? await intake.refetch() : null;
    if (seen?.error) return;
    const checked = await check.run({
      ...requestOf(draft, connection),
      tableToken: table.token,
      ...(columns ? { columns: [...columns] } : {}),
      ...(before?.fileName === table.name ? { replaces: before.id } : {}),
      ...(seen?.data ? { intakeId: seen.data.id } : {}),
      ...(secretWord === null ? {} : { secretWord }),
    });
    if (!checked.ok) return;
    onInput({ checked: checked.value });
    await client.invalidateQueries({ queryKey: ['bulks'] });
    onChecked(checked.value);
  }
  return { check, intake, checkNow };
}

/** What is the same in every row. */
function requestOf({ id, content }: Draft, connection: Connection) {
  const creditType = content.creditType ?? connection.creditTypes[0]?.value ?? null;
  return { connectionId: connection.id, draftId: id, content: { ...content, recipients: [], creditType } };
}

/** Takes dropped files: a spreadsheet as the table, PDFs and folders as the documents of its rows. */
function useDroppedFiles(props: {
  readonly onTable: (table: FileToken) => void;
  readonly onFiles: ((files: readonly FileToken[]) => void) | null;
}): readonly Rejected[] {
  const { t } = useTranslation();
  const take = useTakeFiles();
  const [rejected, setRejected] = useState<readonly Rejected[]>([]);
  const { onTable, onFiles } = props;
  useDropTarget((dragged) => {
    const count = fileCountOf(dragged);
    const isTable = count === 1 && !dragged.types.includes('application/pdf');
    if (!isTable && !onFiles) return null;
    const documents = count === null ? t('drop.registerAny') : t('drop.register', { count });
    return {
      text: isTable ? t('drop.table') : documents,
      take: async (dropped) => {
        const files = await take(dropped);
        setRejected(files.rejected);
        const tables = files.taken.filter(({ name, isFolder }) => !isFolder && isTableName(name));
        const [table] = tables;
        if (table) onTable(table);
        const others = files.taken.filter((file) => !tables.includes(file));
        if (others.length > 0) onFiles?.(others);
      },
    };
  });
  return rejected;
}

function isTableName(name: string): boolean {
  return /\.(csv|tsv|txt|xlsx)$/i.test(name);
}

function TableCard(props: { readonly table: FileToken | null; readonly onTable: (table: FileToken) => void }) {
  const { t } = useTranslation();
  const sample = useCall('bulk.sample');
  const { saved, menu } = useSaveMenu(['xlsx', 'csv'], sample.run);
  const take = (files: readonly FileToken[] | null) => files?.[0] && props.onTable(files[0]);
  return (
    <Card title={t('bulk.table')}>
      <p className={looks.hint}>{t('bulk.tableText')}</p>
      <div className={`${looks.line3} ${looks.small}`}>
        {props.table ? <strong>{visibleName(props.table.name)}</strong> : null}
        <CallButton call="files.choose" input={{ kind: 'any' }} kind={props.table ? 'plain' : 'primary'} onDone={take}>
          {t('bulk.chooseTable')}
        </CallButton>
        <MenuButton label={t('bulk.sample')} kind="quiet" {...menu} />
      </div>
      {saved ? <p role="status">{saved}</p> : null}
      {sample.failure ? <FailureView failure={sample.failure} /> : null}
    </Card>
  );
}

function FilesCard(props: { readonly count: number; readonly onFiles: (files: readonly FileToken[]) => void }) {
  const { t } = useTranslation();
  return (
    <Card title={t('bulk.files')}>
      <p className={looks.hint}>{t('bulk.filesText')}</p>
      <div className={`${looks.line3} ${looks.small}`}>
        {props.count > 0 ? <strong>{t('bulk.filesChosen', { count: props.count })}</strong> : null}
        {(['documents', 'folder'] as const).map((kind) => (
          <CallButton key={kind} call="files.choose" input={{ kind }} onDone={(files) => files && props.onFiles(files)}>
            {t(kind === 'folder' ? 'bulk.chooseFolder' : 'bulk.chooseFiles')}
          </CallButton>
        ))}
      </div>
    </Card>
  );
}
