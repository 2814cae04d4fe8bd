import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Envelope, Failure } from '../../../contract/failure.ts';
import type { TeamRequest } from '../../../contract/team.ts';
import type { DueDate } from '../../../contract/tracking.ts';
import { ask, type Failed } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { readTeamRequest, useTeamPeople } from '../../features/team/team-shared.ts';
import { useOfferUndo } from '../../features/undo.tsx';
import { Button } from '../../parts/button.tsx';
import { Choice } from '../../parts/choice.tsx';
import { DayField } from '../../parts/days/day-field.tsx';
import { TextField } from '../../parts/field.tsx';
import { useFormat } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { Dialog } from '../../parts/overlays/dialog.tsx';
import { useCountText } from './people-text.ts';

/** A request as what is kept here about it is found: by its original document. */
export interface KeptRequest {
  readonly documentId: string;
  /** A person's own reminder. */
  readonly due: Due | null;
}

type Due = Pick<DueDate, 'date' | 'note'>;

interface DialogProps {
  readonly connectionId: string;
  readonly requests: readonly KeptRequest[];
  readonly onClose: () => void;
}

/** A change of all requests, with what each had before. */
interface Change<V> {
  readonly value: V;
  readonly set: (documentId: string, value: V) => Promise<Envelope<null>>;
  /** In the order of the requests. */
  readonly before: () => Promise<Envelope<readonly V[]>>;
  /** What was done, for so many requests. */
  readonly said: (requests: string) => string;
}

/** One call for each request, one after the other, up to the first that fails; closes when all were made. What was changed can be undone for some seconds. */
function useEach({ connectionId, requests, onClose }: DialogProps) {
  const client = useQueryClient();
  const offerUndo = useOfferUndo();
  const countText = useCountText();
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState(0);
  const [failure, setFailure] = useState<Failure | null>(null);

  async function inOrder<V>(values: readonly V[], set: Change<V>['set']) {
    let made = 0;
    let failed: Failure | null = null;
    for (const [at, value] of values.entries()) {
      const answer = await set(requests[at]?.documentId ?? '', value);
      if (!answer.ok) failed = answer.failure;
      if (failed) break;
      made += 1;
      setDone(made);
    }
    for (const queryKey of [
      ['tracked', connectionId],
      ['team', 'shared', connectionId],
    ])
      void client.invalidateQueries({ queryKey });
    return { made, failure: failed };
  }

  async function run<V>({ value, set, before, said }: Change<V>) {
    setBusy(true);
    const old = await before();
    const { made, failure: failed } = old.ok
      ? await inOrder(
          requests.map(() => value),
          set,
        )
      : { made: 0, failure: old.failure };
    if (old.ok && made > 0)
      offerUndo({
        text: said(countText(made)),
        undo: () => inOrder(old.value.slice(0, made), set),
      });
    setBusy(false);
    setFailure(failed);
    if (!failed) onClose();
  }
  return { run, busy, done, failure, count: requests.length };
}

/** What the team keeps about the requests, in their order. */
const inTeam = <V,>({ connectionId, requests }: DialogProps, part: (request: TeamRequest) => V) =>
  Promise.all(requests.map(({ documentId }) => readTeamRequest(connectionId, documentId))).then(
    (found) => ({ ok: true, value: found.map(part) }) as const,
    ({ failure }: Failed) => ({ ok: false, failure }) as const,
  );

/** The form of an action, with how far it came if one of the calls failed. */
function EachDialog(props: {
  readonly title: string;
  readonly confirm: string;
  readonly isDisabled: boolean;
  readonly each: ReturnType<typeof useEach>;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  /** Removes what is set. */
  readonly remove?: ReactNode;
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
          {props.remove}
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
          {count > 1 ? t('tracking.doneOf', { done: format.number(done), total: format.number(count) }) : null}
        </FailureView>
      ) : null}
    </Dialog>
  );
}

/** A day for all: that of the team, or one's own, which is then a reminder. `now`: the day that is set, of a single request. */
export function DueDialog(props: DialogProps & { readonly isOfTeam: boolean; readonly now: Due | null }) {
  const { connectionId, requests, isOfTeam, now } = props;
  const { t } = useTranslation();
  const each = useEach(props);
  const [day, setDay] = useState<string | null>(now?.date ?? null);
  const [note, setNote] = useState(now?.note ?? '');
  const said = (some: string) => t('tracking.dueChanged', { requests: some });
  const run = (date: string | null) =>
    void (isOfTeam
      ? each.run<string | null>({
          value: date,
          said,
          set: (documentId, dueOn) => ask('team.setDue', { connectionId, documentId, dueOn }),
          before: () => inTeam(props, ({ dueOn }) => dueOn),
        })
      : each.run<Due | null>({
          value: date === null ? null : { date, note },
          said,
          set: (documentId, due) =>
            ask('tracking.setDue', { connectionId, documentId, date: due?.date ?? null, note: due?.note ?? '' }),
          before: async () => ({ ok: true, value: requests.map(({ due }) => due) }),
        }));
  return (
    <EachDialog
      title={t('tracking.dueTitle', { requests: useCountText()(each.count) })}
      confirm={t(isOfTeam ? 'team.setDue' : 'tracking.remindMe')}
      isDisabled={day === null}
      each={each}
      onConfirm={() => run(day)}
      onClose={props.onClose}
      remove={
        now ? (
          <Button kind="quiet" isDisabled={each.busy} onPress={() => run(null)}>
            {t(isOfTeam ? 'team.removeDue' : 'tracking.noReminder')}
          </Button>
        ) : null
      }
    >
      {isOfTeam ? null : <p>{t('tracking.dueText')}</p>}
      <DayField label={t(isOfTeam ? 'team.due' : 'tracking.dueDay')} value={day} onChange={setDay} />
      {isOfTeam ? null : <TextField label={t('tracking.dueNote')} value={note} onChange={setNote} maxLength={500} />}
    </EachDialog>
  );
}

/** Choices are texts, so nobody is one as well. */
const nobody = 'nobody';

/** Who takes care of the requests. `now`: the person assigned to a single one, empty for nobody. */
export function AssignDialog(props: DialogProps & { readonly now: string | null }) {
  const { connectionId, now } = props;
  const { t } = useTranslation();
  const each = useEach(props);
  const people = useTeamPeople(connectionId).data ?? [];
  const keyOf = (name: string) => (name === '' ? nobody : `person ${name}`);
  const [key, setKey] = useState(now === null ? null : keyOf(now));
  // Who is assigned may have left since.
  const names = [...new Set([...people.map(({ person }) => person), now ?? ''])].filter(Boolean);
  return (
    <EachDialog
      title={t('team.assignTitle', { requests: useCountText()(each.count) })}
      confirm={t('team.assignConfirm')}
      isDisabled={key === null}
      each={each}
      onConfirm={() =>
        void each.run({
          value: key === nobody ? '' : (key ?? '').slice(7),
          set: (documentId, assignee) => ask('team.assign', { connectionId, documentId, assignee }),
          before: () => inTeam(props, ({ assignee }) => assignee),
          said: (some) => t('team.assignmentChanged', { requests: some }),
        })
      }
      onClose={props.onClose}
    >
      <Choice
        label={t('team.assignedTo')}
        value={key}
        choices={[
          { key: nobody, text: t('team.unassigned') },
          ...names.map((name) => ({ key: keyOf(name), text: name })),
        ]}
        onChange={setKey}
      />
    </EachDialog>
  );
}

/** A person's own reminder, kept on this computer only. */
export function DueDatePart(props: {
  readonly connectionId: string;
  readonly documentId: string;
  readonly due: DueDate | null;
}) {
  const { connectionId, documentId, due } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <h3>{t('tracking.due')}</h3>
      <p className={looks.hint}>
        {due ? t('tracking.dueOn', { date: format.date(due.date), note: due.note }) : t('tracking.dueText')}
      </p>
      <div className={looks.line}>
        <Button onPress={() => setAsked(true)}>{t('tracking.setDue')}</Button>
      </div>
      {isAsked ? (
        <DueDialog
          connectionId={connectionId}
          requests={[{ documentId, due }]}
          now={due}
          isOfTeam={false}
          onClose={() => setAsked(false)}
        />
      ) : null}
    </>
  );
}
