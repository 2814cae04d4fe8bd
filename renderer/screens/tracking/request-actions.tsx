import { useTranslation } from 'react-i18next';
import type { TrackedEntry, TrackedGroup } from '../../../contract/tracking.ts';
import { useForbidden } from '../../bridge/use-policy.ts';
import { type Picked, SelectionBar } from '../../features/list/picked.tsx';
import { useTeamLink } from '../../features/team/team.ts';
import { Button } from '../../parts/button.tsx';
import { ExportDialog } from './export-dialog.tsx';
import { ReminderDialog } from './reminder-mail.tsx';
import { AssignDialog, DueDialog, type KeptRequest } from './request-dialogs.tsx';
import { usualFilter } from './tracked-view.ts';

export type RequestAction = 'write' | 'export' | 'due' | 'assign';

/** Those whom a reminder can be written to. */
const waitingEntries = ({ signers }: TrackedGroup): readonly TrackedEntry[] =>
  signers.flatMap(({ entry }) => (entry === null || entry.hasSigned || !entry.email ? [] : entry));

/** The documents by which requests are known that the service has. */
const documentsOf = (groups: readonly TrackedGroup[]): readonly string[] =>
  groups.flatMap(({ origDocumentId, job }) => (job === null ? (origDocumentId ?? []) : []));

/** What can be done with these requests. */
export function useRequestActions(connectionId: string, groups: readonly TrackedGroup[]) {
  const { t } = useTranslation();
  const isJoined = useTeamLink(connectionId) !== null;
  const isKnown = documentsOf(groups).length > 0;
  const actions: { readonly key: RequestAction; readonly text: string; readonly isOffered: boolean }[] = [
    {
      key: 'write',
      text: t('tracking.writeReminders'),
      isOffered: groups.some((group) => waitingEntries(group).length > 0),
    },
    { key: 'export', text: t('tracking.export'), isOffered: isKnown },
    { key: 'due', text: t('tracking.setDue'), isOffered: isKnown },
    { key: 'assign', text: t('team.assign'), isOffered: isKnown && isJoined },
  ];
  return actions.filter(({ isOffered }) => isOffered);
}

/** The same for all selected requests. */
export function RequestsBar(props: {
  readonly connectionId: string;
  readonly picked: Picked<TrackedGroup>;
  readonly onAct: (action: RequestAction, groups: readonly TrackedGroup[]) => void;
}) {
  const { rows } = props.picked;
  const actions = useRequestActions(props.connectionId, rows);
  const unavailable = useForbidden('tracking.export');
  return (
    <SelectionBar picked={props.picked}>
      {actions.map(({ key, text }) => (
        <Button
          key={key}
          unavailable={key === 'export' ? unavailable : undefined}
          onPress={() => props.onAct(key, rows)}
        >
          {text}
        </Button>
      ))}
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
    return <ReminderDialog connectionId={connectionId} entries={groups.flatMap(waitingEntries)} onClose={onClose} />;
  if (action === 'export')
    return <ExportDialog filter={usualFilter} requests={documentsOf(groups)} onClose={onClose} />;
  const requests = groups.flatMap(keptOf);
  return action === 'due' ? (
    <DueDialog connectionId={connectionId} requests={requests} isOfTeam={isJoined} now={null} onClose={onClose} />
  ) : (
    <AssignDialog connectionId={connectionId} requests={requests} now={null} onClose={onClose} />
  );
}

function keptOf({ origDocumentId, job, due }: TrackedGroup): readonly KeptRequest[] {
  return origDocumentId === null || job !== null ? [] : [{ documentId: origDocumentId, due }];
}
