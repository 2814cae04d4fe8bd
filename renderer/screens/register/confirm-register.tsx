import { useTranslation } from 'react-i18next';
import type { Connection } from '../../../contract/connections.ts';
import type { Correctable } from '../../../contract/corrections.ts';
import type { FileSelection } from '../../../contract/files.ts';
import type { CallInput } from '../../../contract/index.ts';
import { Button } from '../../parts/button.tsx';
import { useGo } from '../../parts/navigation.tsx';
import { Dialog } from '../../parts/overlays/dialog.tsx';
import { DuplicatesPart } from './duplicates-part.tsx';
import { useDuplicates } from './use-duplicates.ts';

type Decided = NonNullable<CallInput<'documents.register'>['duplicates']>;

export interface Corrected {
  readonly jobId: string;
  readonly state: Correctable;
}

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
              isDisabled={!isOver}
              isPending={props.busy}
              onPress={() => props.onConfirm({ otherwise: 'ask', skip: [...removed, ...skip], send })}
            >
              {t(isOver ? 'register.confirm' : 'register.review', { count })}
            </Button>
          ) : (
            <ShowExisting duplicates={duplicates} />
          )}
        </>
      }
    >
      {connection.kind === 'practice' ? <p>{t('app.practiceBand')}</p> : null}
      <DuplicatesPart duplicates={duplicates} />
      {count > 0 && isOver ? (
        <p>{t('register.confirmText', { count, connection: connection.name, credit: props.creditName })}</p>
      ) : null}
      {skip.length > 0 && count > 0 ? <p>{t('duplicates.skipped', { count: skip.length })}</p> : null}
      {skippedCount > 0 ? <p>{t('register.confirmSkipped', { count: skippedCount })}</p> : null}
      {corrects?.state === 'in-doubt' ? <p>{t('corrections.doubtText')}</p> : null}
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
