import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Bulk } from '../../../contract/bulk.ts';
import type { Draft } from '../../../contract/compose.ts';
import type { FileToken } from '../../../contract/files.ts';
import { languageFor } from '../../../locales/choose-language.ts';
import { askValue } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCurrentConnection } from '../../bridge/live.tsx';
import { useIntake } from '../../bridge/queries.ts';
import { useCall } from '../../bridge/use-call.ts';
import { useChooseFile } from '../../bridge/use-choose-file.ts';
import { mergeFiles } from '../../features/merge-files.ts';
import { Button } from '../../parts/button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { TextField } from '../../parts/field.tsx';
import { useGo } from '../../parts/navigation.tsx';
import { Card, Facts } from '../../parts/page.tsx';
import { visibleName } from '../../parts/visible-name.ts';
import css from './bulk.module.css';

/** The values for all rows, the spreadsheet, and the documents that its rows name. */
export function BulkSetup(props: { readonly draftId: string | null; readonly onChecked: (bulk: Bulk) => void }) {
  const { t } = useTranslation();
  const go = useGo();
  const draft = useQuery({
    queryKey: ['draft', props.draftId],
    queryFn: () => askValue('drafts.get', { id: props.draftId ?? '' }),
    enabled: props.draftId !== null,
    gcTime: 0,
  });
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
  return <Setup draft={draft.data} onChecked={props.onChecked} />;
}

function Setup(props: { readonly draft: Draft; readonly onChecked: (bulk: Bulk) => void }) {
  const { draft } = props;
  const { t } = useTranslation();
  const client = useQueryClient();
  const connection = useCurrentConnection();
  const [table, setTable] = useState<FileToken | null>(null);
  const [files, setFiles] = useState<readonly FileToken[]>([]);
  const [secretWord, setSecretWord] = useState('');
  const intake = useIntake(files, 'register');
  const check = useCall('bulk.check');

  async function checkNow() {
    if (!table) return;
    // A person who checks again has corrected something, so neither spreadsheet nor files may come from an earlier scan.
    const seen = files.length > 0 ? await intake.refetch() : null;
    if (seen?.error) return;
    const creditType = draft.content.creditType ?? connection.creditTypes[0]?.value ?? null;
    const checked = await check.run({
      connectionId: connection.id,
      tableToken: table.token,
      content: { ...draft.content, recipients: [], creditType },
      ...(seen?.data ? { intakeId: seen.data.id } : {}),
      ...(secretWord === '' ? {} : { secretWord }),
    });
    if (!checked.ok) return;
    await client.invalidateQueries({ queryKey: ['bulks'] });
    props.onChecked(checked.value);
  }

  return (
    <div className={css.setup}>
      <SameCard draft={draft} />
      <TableCard table={table} onTable={setTable} error={check.failure?.fields?.tableToken} />
      {draft.content.kind === 'easy-sign-template' ? null : (
        <FilesCard count={intake.data?.fileCount ?? 0} onFiles={(more) => setFiles((have) => mergeFiles(have, more))} />
      )}
      {draft.content.kind === 'plain' ? <SecretWordCard value={secretWord} onChange={setSecretWord} /> : null}
      {intake.error ? <FailureView failure={intake.error.failure} /> : null}
      {check.failure ? <FailureView failure={check.failure} {...(table ? { subject: table.name } : {})} /> : null}
      <div>
        <Button
          kind="primary"
          isDisabled={table === null || intake.isLooking}
          isPending={check.busy}
          onPress={() => void checkNow()}
        >
          {t('bulk.check')}
        </Button>
      </div>
    </div>
  );
}

function SecretWordCard(props: { readonly value: string; readonly onChange: (text: string) => void }) {
  const { t } = useTranslation();
  return (
    <Card title={t('compose.secretWord')}>
      <TextField
        label={t('bulk.secretWord')}
        type="password"
        value={props.value}
        onChange={props.onChange}
        maxLength={200}
      />
    </Card>
  );
}

function SameCard(props: { readonly draft: Draft }) {
  const { draft } = props;
  const { content } = draft;
  const { t } = useTranslation();
  const go = useGo();
  const isTemplate = content.kind === 'easy-sign-template';
  return (
    <Card title={t('bulk.same')}>
      <p className={css.hint}>{t('bulk.sameText')}</p>
      <Facts
        facts={[
          [t('compose.kind'), t(`compose.kinds.${content.kind}`)],
          [t('compose.template'), isTemplate ? content.templateId || '—' : null],
          [t('compose.document'), isTemplate ? null : (draft.file?.name ?? '—')],
          [t('compose.documentName'), content.documentName || null],
          [t('compose.subject'), content.kind === 'plain' ? null : content.customSubject || null],
          [t('compose.message'), content.kind === 'plain' ? null : content.messageToSigners || null],
        ]}
      />
      <div>
        <Button onPress={() => go({ screen: 'compose', draftId: draft.id })}>{t('bulk.edit')}</Button>
      </div>
    </Card>
  );
}

function TableCard(props: {
  readonly table: FileToken | null;
  readonly onTable: (table: FileToken) => void;
  readonly error?: string | undefined;
}) {
  const { t, i18n } = useTranslation();
  const choose = useChooseFile('any');
  const sample = useCall('bulk.sample');
  const [saved, setSaved] = useState<string | null>(null);
  const language = languageFor(i18n.language, []);

  async function chooseNow() {
    const file = await choose.choose();
    if (file) props.onTable(file);
  }
  async function saveSample(format: 'csv' | 'xlsx') {
    const done = await sample.run({ format, language });
    if (done.ok && done.value) setSaved(t('bulk.sampleSaved', { name: done.value.fileName }));
  }

  const failure = choose.failure ?? sample.failure;
  return (
    <Card title={t('bulk.table')}>
      <p className={css.hint}>{t('bulk.tableText')}</p>
      <div className={css.row}>
        {props.table ? <strong>{visibleName(props.table.name)}</strong> : null}
        <Button isPending={choose.busy} onPress={() => void chooseNow()}>
          {t('bulk.chooseTable')}
        </Button>
        <Button kind="quiet" onPress={() => void saveSample('csv')}>
          {t('bulk.sampleCsv')}
        </Button>
        <Button kind="quiet" onPress={() => void saveSample('xlsx')}>
          {t('bulk.sampleXlsx')}
        </Button>
      </div>
      {saved ? <p role="status">{saved}</p> : null}
      {failure ? <FailureView failure={failure} /> : null}
    </Card>
  );
}

function FilesCard(props: { readonly count: number; readonly onFiles: (files: readonly FileToken[]) => void }) {
  const { t } = useTranslation();
  const choose = useCall('files.choose');
  async function chooseNow(kind: 'documents' | 'folder') {
    const chosen = await choose.run({ kind });
    if (chosen.ok && chosen.value) props.onFiles(chosen.value);
  }
  return (
    <Card title={t('bulk.files')}>
      <p className={css.hint}>{t('bulk.filesText')}</p>
      <div className={css.row}>
        {props.count > 0 ? <strong>{t('bulk.filesChosen', { count: props.count })}</strong> : null}
        <Button onPress={() => void chooseNow('documents')}>{t('bulk.chooseFiles')}</Button>
        <Button onPress={() => void chooseNow('folder')}>{t('bulk.chooseFolder')}</Button>
      </div>
      {choose.failure ? <FailureView failure={choose.failure} /> : null}
    </Card>
  );
}
