import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Connection } from '../../../contract/connections.ts';
import type { FileSelection, SelectedFile } from '../../../contract/files.ts';
import type { Correction } from '../../../contract/forms.ts';
import type { CallInput } from '../../../contract/index.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { creditTypeOf, lacksCredentials } from '../../features/connection-state.tsx';
import { type RegisterDraft, useSelection } from '../../features/files/selection.tsx';
import { AcceptDoubt, mayHaveArrived } from '../../features/jobs/correct.tsx';
import { Button } from '../../parts/button.tsx';
import { useLatest } from '../../parts/hooks/use-latest.ts';
import { useGoOn } from '../../parts/keys.ts';
import looks from '../../parts/looks.module.css';
import { useGo } from '../../parts/navigation.tsx';
import { Dialog } from '../../parts/overlays/dialog.tsx';
import { Card } from '../../parts/page.tsx';
import { DuplicatesPart, useDuplicates } from './duplicates-part.tsx';
import { FileRows } from './file-rows.tsx';
import css from './register.module.css';
import { RegisterFields } from './register-fields.tsx';

interface FormProps {
  readonly intake: FileSelection;
  readonly connection: Connection;
  readonly draft: RegisterDraft;
  readonly setDraft: (draft: RegisterDraft) => void;
  /** The job that was not taken and is replaced by this one. */
  readonly corrects: Corrected | null;
  readonly onRegistered: (batchId: string) => void;
}

/** The form, the files, and the cost. */
export function RegisterForm(props: FormProps) {
  const { intake, connection, draft, corrects } = props;
  const go = useGo();
  const register = useCall('documents.register');
  const [confirming, setConfirming] = useState(false);
  const removed = useRemoved();
  const credit = creditTypeOf(connection, draft.creditType);

  async function registerNow(duplicates: Duplicates) {
    if (!credit) return;
    const ended = await register.run(inputOf(props, credit.value, duplicates));
    setConfirming(false);
    if (!ended.ok) return;
    props.onRegistered(ended.value.batchId);
    go({ screen: 'jobs', batchId: ended.value.batchId }, 'instead');
  }
  return (
    <div className={looks.withAside}>
      <div className={css.stack}>
        <RegisterFields
          draft={draft}
          setDraft={props.setDraft}
          creditTypes={connection.creditTypes}
          credit={credit?.value ?? null}
          errors={register.failure?.fields ?? {}}
          hasPatterns={corrects === null}
          first={corrects ? null : (intake.files.find(({ index }) => !removed.indexes.has(index)) ?? null)}
        />
        <FileRows
          intake={intake}
          pattern={corrects ? null : draft.name}
          removed={removed.indexes}
          totalBytes={intake.totalBytes - removed.bytes}
          onRemove={corrects ? null : removed.remove}
        />
      </div>
      <div className={css.stack}>
        <Before
          count={intake.fileCount - removed.indexes.size}
          connection={connection}
          creditName={credit?.name ?? null}
          onReview={() => setConfirming(true)}
        />
        {register.failure ? <FailureView failure={register.failure} /> : null}
      </div>
      {confirming && credit ? (
        <ConfirmRegister
          intake={intake}
          removed={removed.indexes}
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

type Duplicates = CallInput<'documents.register'>['duplicates'];

function inputOf(
  { intake, connection, draft: { name, description, clientId }, corrects }: FormProps,
  creditType: number,
  duplicates: Duplicates,
): CallInput<'documents.register'> {
  return {
    connectionId: connection.id,
    intakeId: intake.id,
    creditType,
    name,
    duplicates,
    ...(corrects ? { corrects: corrects.jobId } : {}),
    ...(description === '' ? {} : { description }),
    ...(clientId === '' ? {} : { clientId }),
  };
}

/**
 * Files that a person removed from the intake of this form. They leave the selection with the form and not before, because another scan would put a new list in
 * front of the person; a file of a folder stays in its folder.
 */
function useRemoved() {
  const { drop } = useSelection();
  const [files, setFiles] = useState<readonly SelectedFile[]>([]);
  const indexes = useMemo(() => new Set(files.map(({ index }) => index)), [files]);
  const latest = useLatest({ files, drop });
  useEffect(
    () => () => {
      for (const { token } of latest.current.files) if (token) latest.current.drop(token);
    },
    [],
  );
  const bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return { indexes, bytes, remove: (file: SelectedFile) => setFiles((have) => [...have, file]) } as const;
}

function Before(
  props: Pick<FormProps, 'connection'> & {
    readonly count: number;
    readonly creditName: string | null;
    readonly onReview: () => void;
  },
) {
  const { t } = useTranslation();
  const go = useGo();
  const { connection, count } = props;
  const noCredentials = lacksCredentials(connection);
  const mayGoOn = !(noCredentials || props.creditName === null || count === 0);
  useGoOn(mayGoOn ? props.onReview : null);
  return (
    <Card title={t('register.beforeSend')} isTitleHidden>
      {props.creditName ? <p>{t('start.registerText', { count })}</p> : null}
      {noCredentials ? (
        <div className={looks.warning}>
          <p>{t('register.needCredentials')}</p>
          <Button onPress={() => go({ screen: 'connections' })}>{t('register.toConnections')}</Button>
        </div>
      ) : null}
      <Button
        kind="primary"
        isDisabled={count === 0 || props.creditName === null || noCredentials}
        onPress={props.onReview}
      >
        {count === 0 ? t('start.registerTile') : t('register.review', { count })}
      </Button>
    </Card>
  );
}

type Decided = NonNullable<CallInput<'documents.register'>['duplicates']>;

type Corrected = Pick<Extract<Correction, { kind: 'register' }>, 'jobId' | 'state' | 'isBesideDoubt'>;

/** The confirmation: number of files, connection, cost, already registered files, and that it cannot be undone. */
export function ConfirmRegister(props: {
  readonly intake: FileSelection;
  /** Indexes of files that are not sent. */
  readonly removed: ReadonlySet<number>;
  readonly connection: Connection;
  readonly corrects: Corrected | null;
  readonly creditName: string;
  readonly busy: boolean;
  readonly onConfirm: (duplicates: Decided) => void;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const { connection, corrects, removed } = props;
  const [accepted, setAccepted] = useState(false);
  const isDoubt = corrects !== null && mayHaveArrived(corrects);
  const duplicates = useDuplicates(connection.id, props.intake.id, removed, corrects?.jobId);
  const { skippedCount } = props.intake;
  // Before the check is over nobody knows how many are sent.
  const { skip, send, isOver } = duplicates;
  const fileCount = props.intake.fileCount - removed.size;
  const count = fileCount - skip.length;
  return (
    <Dialog
      title={
        count === 0 ? t('duplicates.nothingLeft') : t(isOver ? 'register.confirmTitle' : 'register.title', { count })
      }
      alert
      wide={duplicates.found.length > 0}
      onClose={props.onClose}
      actions={
        <>
          <Button autoFocus onPress={props.onClose}>
            {t('common.cancel')}
          </Button>
          {count > 0 ? (
            <Button
              kind="primary"
              isDisabled={!isOver || (isDoubt && !accepted)}
              isPending={props.busy}
              onPress={() => props.onConfirm({ otherwise: 'ask', skip: [...removed, ...skip], send })}
            >
              {t(isOver ? 'register.confirm' : 'start.registerTile', { count })}
            </Button>
          ) : (
            <ShowExisting duplicates={duplicates} />
          )}
        </>
      }
    >
      {connection.kind === 'practice' ? <p>{t('app.practiceBand')}</p> : null}
      <DuplicatesPart duplicates={duplicates} isDoubt={isDoubt} />
      {count > 0 && isOver ? (
        <p>{t('register.confirmText', { count, connection: connection.name, credit: props.creditName })}</p>
      ) : null}
      {skip.length > 0 && count > 0 ? <p>{t('duplicates.skipped', { count: skip.length })}</p> : null}
      {skippedCount > 0 ? <p>{t('register.confirmSkipped', { count: skippedCount })}</p> : null}
      {isDoubt ? <AcceptDoubt text={t('corrections.doubtText')} isSelected={accepted} onChange={setAccepted} /> : null}
    </Dialog>
  );
}

/** The next step where nothing is left to register: what the service has of it already, or where that is on its way. */
function ShowExisting(props: { readonly duplicates: ReturnType<typeof useDuplicates> }) {
  const { connectionId, found } = props.duplicates;
  const { t } = useTranslation();
  const go = useGo();
  const documentId = found.find(({ of }) => of?.documentId)?.of?.documentId;
  if (!documentId) return <Button onPress={() => go({ screen: 'jobs' })}>{t('compose.showInActivity')}</Button>;
  return (
    <Button kind="primary" onPress={() => go({ screen: 'documents', open: { connectionId, documentId } })}>
      {t('jobs.openExisting')}
    </Button>
  );
}
