import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Connection } from '../../../contract/connections.ts';
import type { FileSelection } from '../../../contract/files.ts';
import type { CallInput } from '../../../contract/index.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import type { RegisterDraft } from '../../features/selection.tsx';
import { Button } from '../../parts/button.tsx';
import { Choice } from '../../parts/choice.tsx';
import { TextField } from '../../parts/field.tsx';
import { useFormat } from '../../parts/format.ts';
import { useGo } from '../../parts/navigation.tsx';
import { Card, Facts } from '../../parts/page.tsx';
import { ConfirmRegister, type Corrected } from './confirm-register.tsx';
import { FileRows } from './file-rows.tsx';
import { fillPattern } from './name-pattern.ts';
import css from './register.module.css';

interface FormProps {
  readonly intake: FileSelection;
  readonly connection: Connection;
  readonly draft: RegisterDraft;
  readonly setDraft: (draft: RegisterDraft) => void;
  /** The job that was not taken and is replaced by this one. */
  readonly corrects: Corrected | null;
  readonly onRegistered: () => void;
}

/** The form, the files, and the cost. */
export function RegisterForm(props: FormProps) {
  const { intake, connection, draft, corrects } = props;
  const go = useGo();
  const register = useCall('documents.register');
  const [confirming, setConfirming] = useState(false);
  const credit =
    connection.creditTypes.find((type) => type.value === draft.creditType) ?? connection.creditTypes[0] ?? null;

  async function registerNow(duplicates: CallInput<'documents.register'>['duplicates']) {
    if (!credit) return;
    const { name, description, clientId } = draft;
    const ended = await register.run({
      connectionId: connection.id,
      intakeId: intake.id,
      creditType: credit.value,
      name,
      duplicates,
      ...(corrects ? { corrects: corrects.jobId } : {}),
      ...(description === '' ? {} : { description }),
      ...(clientId === '' ? {} : { clientId }),
    });
    setConfirming(false);
    if (!ended.ok) return;
    props.onRegistered();
    go({ screen: 'jobs', batchId: ended.value.batchId });
  }

  return (
    <div className={css.form}>
      <div className={css.stack}>
        <Fields {...props} errors={register.failure?.fields ?? {}} credit={credit?.value ?? null} />
        <FileRows intake={intake} />
      </div>
      <div className={css.stack}>
        <Before
          intake={intake}
          connection={connection}
          creditName={credit?.name ?? null}
          onReview={() => setConfirming(true)}
        />
        {register.failure ? <FailureView failure={register.failure} /> : null}
      </div>
      {confirming && credit ? (
        <ConfirmRegister
          intake={intake}
          connection={connection}
          corrects={corrects}
          creditName={credit.name}
          busy={register.busy}
          onConfirm={(duplicates) => void registerNow(duplicates)}
          onClose={() => setConfirming(false)}
        />
      ) : null}
    </div>
  );
}

function Fields(
  props: FormProps & { readonly errors: Readonly<Record<string, string>>; readonly credit: number | null },
) {
  const { t } = useTranslation();
  const { draft, setDraft, corrects } = props;
  const { creditTypes } = props.connection;
  // Corrected values are used as they are, without patterns.
  const first = corrects ? undefined : props.intake.files[0];
  const preview = first ? t('register.namePreview', { name: fillPattern(draft.name, first, 1) }) : null;
  return (
    <div className={css.fields}>
      <TextField
        label={t('register.name')}
        value={draft.name}
        onChange={(name) => setDraft({ ...draft, name })}
        {...(corrects ? {} : { help: [preview, t('register.nameHelp')].filter(Boolean).join('. ') })}
        error={props.errors.name}
        maxLength={1000}
      />
      <Choice
        label={t('register.credit')}
        value={props.credit === null ? null : String(props.credit)}
        placeholder={t('register.noCredit')}
        choices={creditTypes.map((type) => ({ key: String(type.value), text: type.name }))}
        onChange={(key) => setDraft({ ...draft, creditType: Number(key) })}
        error={props.errors.creditType}
      />
      <TextField
        label={t('register.clientId')}
        value={draft.clientId}
        onChange={(clientId) => setDraft({ ...draft, clientId })}
        {...(corrects ? {} : { help: t('register.clientIdHelp') })}
        error={props.errors.clientId}
        maxLength={1000}
      />
      <TextField
        label={t('register.description')}
        lines
        value={draft.description}
        onChange={(description) => setDraft({ ...draft, description })}
        error={props.errors.description}
        maxLength={10_000}
      />
    </div>
  );
}

function Before(
  props: Pick<FormProps, 'intake' | 'connection'> & {
    readonly creditName: string | null;
    readonly onReview: () => void;
  },
) {
  const { t } = useTranslation();
  const format = useFormat();
  const go = useGo();
  const { connection } = props;
  const count = props.intake.fileCount;
  const noCredentials = connection.kind === 'service' && connection.credentials === 'none';
  return (
    <Card title={t('register.beforeSend')}>
      <Facts
        facts={[
          [t('register.registersWith'), connection.name],
          [t('register.costs'), props.creditName ? t('register.costsValue', { count, credit: props.creditName }) : '—'],
          [t('register.size'), `${t('common.files', { count })}, ${format.bytes(props.intake.totalBytes)}`],
          [t('register.cannotUndo'), t('register.cannotUndoText')],
        ]}
      />
      {noCredentials ? (
        <div className={css.warning}>
          <p>{t('register.needCredentials')}</p>
          <Button onPress={() => go({ screen: 'connections' })}>{t('register.toConnections')}</Button>
        </div>
      ) : null}
      <Button
        kind="primary"
        isDisabled={count === 0 || props.creditName === null || noCredentials}
        onPress={props.onReview}
      >
        {t('register.review')}
      </Button>
    </Card>
  );
}
