import { useTranslation } from 'react-i18next';
import type { TrackedGroup } from '../../../contract/tracking.ts';
import { useForbidden } from '../../bridge/use-policy.ts';
import { type Picked, SelectionBar } from '../../features/list/picked.tsx';
import { CheckSelected } from '../../features/tasks/task-progress.tsx';
import { useTeamLink } from '../../features/team/team.ts';
import { Button } from '../../parts/button.tsx';
import { ExportDialog } from './export-dialog.tsx';
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
  const { connectionId } = props;
  const { rows } = props.picked;
  const actions = useRequestActions(connectionId, rows);
  // Whether these are complete only the service can still say.
  const notKnown = documentsOf(rows.filter(({ state }) => state === 'not-known'));
  return (
    <SelectionBar picked={props.picked}>
      {actions.map(({ key, text, unavailable }) => (
        <Button key={key} unavailable={unavailable} onPress={() => props.onAct(key, rows)}>
          {text}
        </Button>
      ))}
      <CheckSelected documents={notKnown.map((documentId) => ({ connectionId, documentId }))} />
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
  if (action === 'export')
    return <ExportDialog filter={usualFilter} requests={documentsOf(groups)} onClose={onClose} />;
  const requests = groups.flatMap(({ origDocumentId, job, due }) =>
    origDocumentId === null || job !== null ? [] : [{ documentId: origDocumentId, due }],
  );
  return action === 'due' ? (
    <DueDialog connectionId={connectionId} requests={requests} isOfTeam={isJoined} now={null} onClose={onClose} />
  ) : (
    <AssignDialog connectionId={connectionId} requests={requests} now={null} onClose={onClose} />
  );
}
