import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Failure } from '../../../contract/failure.ts';
import type { TrackedEntry, TrackedGroup } from '../../../contract/tracking.ts';
import { ask } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useForbidden } from '../../bridge/use-policy.ts';
import { type Picked, SelectionBar } from '../../features/list/picked.tsx';
import { useTeamLink } from '../../features/team.ts';
import { useTeamPeople } from '../../features/team-shared.ts';
import { Button } from '../../parts/button.tsx';
import { Choice } from '../../parts/choice.tsx';
import { DayField } from '../../parts/day-field.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { useFormat } from '../../parts/format.ts';
import { ExportDialog } from './export-dialog.tsx';
import { useCountText } from './people-text.ts';
import { ReminderDialog } from './reminder-mail.tsx';
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
  const { rows, isFull, clear } = props.picked;
  const actions = useRequestActions(props.connectionId, rows);
  const unavailable = useForbidden('tracking.export');
  return (
    <SelectionBar count={rows.length} isFull={isFull} onClear={clear}>
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

interface DialogProps {
  readonly connectionId: string;
  readonly groups: readonly TrackedGroup[];
  readonly onClose: () => void;
}

/** Asks for what an action needs, and does it. */
export function RequestActionDialog(props: DialogProps & { readonly action: RequestAction }) {
  const { action, groups, connectionId, onClose } = props;
  if (action === 'write')
    return <ReminderDialog connectionId={connectionId} entries={groups.flatMap(waitingEntries)} onClose={onClose} />;
  if (action === 'export')
    return <ExportDialog filter={usualFilter} requests={documentsOf(groups)} onClose={onClose} />;
  return action === 'due' ? <DueDialog {...props} /> : <AssignDialog {...props} />;
}

/** One call for each request, one after the other, up to the first that fails; closes when all were made. */
function useEach({ connectionId, groups, onClose }: DialogProps) {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState(0);
  const [failure, setFailure] = useState<Failure | null>(null);
  const documents = documentsOf(groups);
  async function run(call: (of: { connectionId: string; documentId: string }) => ReturnType<typeof ask>) {
    setBusy(true);
    let failed: Failure | null = null;
    for (const [at, documentId] of documents.entries()) {
      const answer = await call({ connectionId, documentId });
      if (!answer.ok) failed = answer.failure;
      if (failed) break;
      setDone(at + 1);
    }
    setBusy(false);
    setFailure(failed);
    for (const queryKey of [
      ['tracked', connectionId],
      ['team', 'shared', connectionId],
    ])
      void client.invalidateQueries({ queryKey });
    if (!failed) onClose();
  }
  return { run, busy, done, failure, count: documents.length };
}

/** The form of an action, with how far it came if one of the calls failed. */
function EachDialog(props: {
  readonly title: string;
  readonly confirm: string;
  readonly isDisabled: boolean;
  readonly each: ReturnType<typeof useEach>;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const { busy, done, failure, count } = props.each;
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Dialog
      title={props.title}
      onClose={props.onClose}
      actions={
        <>
          <Button onPress={props.onClose}>{t('common.cancel')}</Button>
          <Button kind="primary" isDisabled={props.isDisabled} isPending={busy} onPress={props.onConfirm}>
            {props.confirm}
          </Button>
        </>
      }
    >
      {props.children}
      {failure ? (
        <FailureView failure={failure}>
          {t('tracking.doneOf', { done: format.number(done), total: format.number(count) })}
        </FailureView>
      ) : null}
    </Dialog>
  );
}

/** A day for all: that of the team, or where none was joined one's own. */
function DueDialog(props: DialogProps) {
  const { t } = useTranslation();
  const each = useEach(props);
  const isJoined = useTeamLink(props.connectionId) !== null;
  const [day, setDay] = useState<string | null>(null);
  const [note, setNote] = useState('');
  return (
    <EachDialog
      title={t('tracking.dueTitle', { requests: useCountText()(each.count) })}
      confirm={t(isJoined ? 'team.setDue' : 'tracking.remindMe')}
      isDisabled={day === null}
      each={each}
      onConfirm={() =>
        void each.run((of) =>
          isJoined ? ask('team.setDue', { ...of, dueOn: day }) : ask('tracking.setDue', { ...of, date: day, note }),
        )
      }
      onClose={props.onClose}
    >
      {isJoined ? null : <p>{t('tracking.dueText')}</p>}
      <DayField label={t(isJoined ? 'team.due' : 'tracking.dueDay')} value={day} onChange={setDay} />
      {isJoined ? null : <TextField label={t('tracking.dueNote')} value={note} onChange={setNote} maxLength={500} />}
    </EachDialog>
  );
}

/** Choices are texts, so nobody is one as well. */
const nobody = 'nobody';

function AssignDialog(props: DialogProps) {
  const { t } = useTranslation();
  const each = useEach(props);
  const people = useTeamPeople(props.connectionId).data ?? [];
  const [key, setKey] = useState<string | null>(null);
  const names = [...new Set(people.map(({ person }) => person))];
  return (
    <EachDialog
      title={t('team.assignTitle', { requests: useCountText()(each.count) })}
      confirm={t('team.assignConfirm')}
      isDisabled={key === null}
      each={each}
      onConfirm={() =>
        void each.run((of) => ask('team.assign', { ...of, assignee: key === nobody ? '' : (key ?? '').slice(7) }))
      }
      onClose={props.onClose}
    >
      <Choice
        label={t('team.assignedTo')}
        value={key}
        choices={[
          { key: nobody, text: t('team.unassigned') },
          ...names.map((name) => ({ key: `person ${name}`, text: name })),
        ]}
        onChange={setKey}
      />
    </EachDialog>
  );
}
