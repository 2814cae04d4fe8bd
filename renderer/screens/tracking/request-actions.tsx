import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallInput } from '../../../contract/index.ts';
import type { TrackedGroup } from '../../../contract/tracking.ts';
import { languageFor } from '../../../locales/choose-language.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCurrentConnection } from '../../bridge/live.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { useForbidden } from '../../bridge/use-policy.ts';
import { type Picked, SelectionBar } from '../../features/list/picked.tsx';
import { CheckSelected } from '../../features/tasks/task-progress.tsx';
import { useTeamLink } from '../../features/team/team.ts';
import { Button } from '../../parts/button.tsx';
import { Checkbox } from '../../parts/checkbox.tsx';
import { Segments } from '../../parts/field.tsx';
import { useFormat } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { Dialog } from '../../parts/overlays/dialog.tsx';
import { useCountText } from './people-text.ts';
import { type Addressee, addresseeOf, ReminderDialog } from './reminder-mail.tsx';
import { AssignDialog, DueDialog } from './request-dialogs.tsx';
import { usualFilter } from './tracked-view.ts';

export type RequestAction = 'write' | 'export' | 'due' | 'assign';

/** Those whom a reminder can be written to. */
const addresseesOf = (group: TrackedGroup): readonly Addressee[] =>
  group.signers.flatMap((signer) => addresseeOf(group, signer) ?? []);

/** The documents by which requests are known that the service has. */
const documentsOf = (groups: readonly TrackedGroup[]): readonly string[] =>
  groups.flatMap(({ origDocumentId, job }) => (job === null ? (origDocumentId ?? []) : []));

/** What can be done with these requests. */
export function useRequestActions(connectionId: string, groups: readonly TrackedGroup[]) {
  const { t } = useTranslation();
  const isJoined = useTeamLink(connectionId) !== null;
  const isKnown = documentsOf(groups).length > 0;
  const actions = [
    {
      key: 'write',
      text: t('tracking.writeReminders'),
      isOffered: groups.some((group) => addresseesOf(group).length > 0),
      unavailable: undefined,
    },
    { key: 'export', text: t('tracking.export'), isOffered: isKnown, unavailable: useForbidden('tracking.export') },
    { key: 'due', text: t('tracking.setDue'), isOffered: isKnown, unavailable: undefined },
    { key: 'assign', text: t('team.assign'), isOffered: isKnown && isJoined, unavailable: undefined },
  ] as const;
  return actions.filter(({ isOffered }) => isOffered);
}

/** The same for all selected requests. */
export function RequestsBar(props: {
  readonly connectionId: string;
  readonly picked: Picked<TrackedGroup>;
  readonly onAct: (action: RequestAction, groups: readonly TrackedGroup[]) => void;
}) {
  const { connectionId, picked } = props;
  const { rows } = picked;
  const { t } = useTranslation();
  const format = useFormat();
  const actions = useRequestActions(connectionId, rows);
  // Whether these are complete only the service can still say.
  const notKnown = documentsOf(rows.filter(({ state }) => state === 'not-known'));
  const withoutId = rows.filter(({ job, origDocumentId }) => job === null && origDocumentId === null).length;
  return (
    <SelectionBar picked={picked}>
      {actions.map(({ key, text, unavailable }) => (
        <Button key={key} unavailable={unavailable} onPress={() => props.onAct(key, rows)}>
          {text}
        </Button>
      ))}
      <CheckSelected documents={notKnown.map((documentId) => ({ connectionId, documentId }))} onBegun={picked.clear} />
      {withoutId > 0 ? <span>{`${t('documents.withoutId.sent')} (${format.number(withoutId)})`}</span> : null}
    </SelectionBar>
  );
}

/** Asks for what an action needs, and does it. */
export function RequestActionDialog(props: {
  readonly connectionId: string;
  readonly groups: readonly TrackedGroup[];
  readonly onClose: () => void;
  readonly action: RequestAction;
}) {
  const { action, groups, connectionId, onClose } = props;
  const isJoined = useTeamLink(connectionId) !== null;
  if (action === 'write')
    return <ReminderDialog connectionId={connectionId} all={groups.flatMap(addresseesOf)} onClose={onClose} />;
  if (action === 'export') {
    const documentIds = [...documentsOf(groups)];
    return <ExportDialog wanted={{ ...usualFilter, documentIds }} requests={documentIds.length} onClose={onClose} />;
  }
  const requests = groups.flatMap(({ origDocumentId, job, due }) =>
    origDocumentId === null || job !== null ? [] : [{ documentId: origDocumentId, due }],
  );
  return action === 'due' ? (
    <DueDialog connectionId={connectionId} requests={requests} isOfTeam={isJoined} now={null} onClose={onClose} />
  ) : (
    <AssignDialog connectionId={connectionId} requests={requests} now={null} onClose={onClose} />
  );
}

/** Exports what a view shows, or what is selected, into a file. Secret words only if the person ticks them. */
export function ExportDialog(props: {
  readonly wanted: Omit<CallInput<'tracking.export'>, 'connectionId' | 'format' | 'withSecretWords' | 'language'>;
  /** How many of them; null: of the entries of the service's lists. */
  readonly requests: number | null;
  readonly onClose: () => void;
}) {
  const { requests } = props;
  const { t, i18n } = useTranslation();
  const connection = useCurrentConnection();
  const countText = useCountText();
  const [format, setFormat] = useState<'csv' | 'xlsx'>('xlsx');
  const [withSecretWords, setSecrets] = useState(false);
  const [done, setDone] = useState<string | null>(null);
  const run = useCall('tracking.export');
  const unavailable = useForbidden('tracking.export');

  async function exportNow() {
    const how = { format, withSecretWords, language: languageFor(i18n.language, []) };
    const written = await run.run({ connectionId: connection.id, grouped: requests !== null, ...props.wanted, ...how });
    if (!written.ok || !written.value) return;
    const { requestCount, rowCount, fileName: name } = written.value;
    setDone(`${t('jobs.listSaved', { name })} · ${countText(requestCount ?? rowCount, requestCount === null)}`);
  }

  return (
    <Dialog
      title={
        requests === null ? t('tracking.exportTitle') : t('tracking.exportRequests', { requests: countText(requests) })
      }
      onClose={props.onClose}
      actions={
        <>
          <Button onPress={props.onClose}>{done ? t('common.close') : t('common.cancel')}</Button>
          <Button kind="primary" unavailable={unavailable} isPending={run.busy} onPress={() => void exportNow()}>
            {t('tracking.exportConfirm')}
          </Button>
        </>
      }
    >
      <p>{t(requests === null ? 'tracking.exportText' : 'tracking.exportRequestsText')}</p>
      <Segments
        label={t('tracking.exportFormat')}
        value={format}
        onChange={setFormat}
        choices={(['xlsx', 'csv'] as const).map((key) => ({ key, text: t(`tracking.${key}`) }))}
      />
      <Checkbox isSelected={withSecretWords} onChange={setSecrets}>
        {t('tracking.exportSecrets')}
      </Checkbox>
      {withSecretWords ? <p className={looks.warning}>{t('tracking.exportSecretsWarning')}</p> : null}
      {done ? <p role="status">{done}</p> : null}
      {run.failure ? <FailureView failure={run.failure} /> : null}
    </Dialog>
  );
}
