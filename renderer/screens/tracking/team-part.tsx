import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TeamLink, TeamRequest } from '../../../contract/team.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { useTeamLink } from '../../features/team.ts';
import { useTeamPeople, useTeamRequest } from '../../features/team-shared.ts';
import { teamStateText } from '../../features/team-state.tsx';
import { Button } from '../../parts/button.tsx';
import { Choice } from '../../parts/choice.tsx';
import { DayField } from '../../parts/day-field.tsx';
import { TextField } from '../../parts/field.tsx';
import { useFormat } from '../../parts/format.ts';
import panel from '../../parts/panel.module.css';

/** What the team keeps about a request: who takes care of it, when it is due, and notes. Nothing where no team was joined. */
export function TeamPart(props: { readonly connectionId: string; readonly documentId: string }) {
  const { connectionId, documentId } = props;
  const { t } = useTranslation();
  const link = useTeamLink(connectionId);
  const request = useTeamRequest(connectionId, documentId);
  if (!link) return null;
  return (
    <>
      <h3>{t('team.shared')}</h3>
      {request.isPending ? <p role="status">{t('common.loading')}</p> : null}
      {request.error ? (
        <FailureView failure={request.error.failure} calm>
          <Button onPress={() => void request.refetch()}>{t('common.tryAgain')}</Button>
        </FailureView>
      ) : null}
      {request.data ? (
        <>
          <Assignee link={link} request={request.data} />
          <Due key={request.data.dueOn} link={link} request={request.data} />
          <Notes link={link} request={request.data} />
        </>
      ) : null}
    </>
  );
}

interface PartProps {
  readonly link: TeamLink;
  readonly request: TeamRequest;
}

/** Reads what the team keeps about a request again, after a change from here. */
function useReadAgain({ link, request }: PartProps) {
  const client = useQueryClient();
  return () =>
    client.invalidateQueries({
      queryKey: ['team', 'shared', link.connectionId, 'request', request.documentId],
    });
}

/** Choices are texts, so nobody is one as well. */
const nobody = 'nobody';

function Assignee(props: PartProps) {
  const { link, request } = props;
  const { connectionId } = link;
  const { t } = useTranslation();
  const format = useFormat();
  const people = useTeamPeople(connectionId);
  const assign = useCall('team.assign');
  const readAgain = useReadAgain(props);
  const names = [...new Set([...(people.data ?? []).map(({ person }) => person), request.assignee])].filter(Boolean);
  const locked = link.state === 'connected' ? undefined : teamStateText(t, link, format.momentInText);
  return (
    <>
      <Choice
        label={t('team.assignedTo')}
        value={request.assignee === '' ? nobody : `person ${request.assignee}`}
        locked={locked}
        choices={[
          { key: nobody, text: t('team.unassigned') },
          ...names.map((name) => ({ key: `person ${name}`, text: name })),
        ]}
        onChange={(key) =>
          void assign
            .run({ connectionId, documentId: request.documentId, assignee: key === nobody ? '' : key.slice(7) })
            .then(readAgain)
        }
      />
      {assign.failure ? <FailureView failure={assign.failure} /> : null}
    </>
  );
}

function Due(props: PartProps) {
  const { link, request } = props;
  const { connectionId } = link;
  const { documentId, dueOn } = request;
  const { t } = useTranslation();
  const set = useCall('team.setDue');
  const readAgain = useReadAgain(props);
  const [day, setDay] = useState(dueOn);
  const run = (next: string | null) => void set.run({ connectionId, documentId, dueOn: next }).then(readAgain);
  const isLocked = link.state !== 'connected';
  return (
    <>
      <DayField label={t('team.due')} value={day} onChange={setDay} />
      <div className={panel.row}>
        <Button isDisabled={day === null || day === dueOn || isLocked} isPending={set.busy} onPress={() => run(day)}>
          {t('team.setDue')}
        </Button>
        {dueOn ? (
          <Button kind="quiet" isDisabled={isLocked} onPress={() => run(null)}>
            {t('team.removeDue')}
          </Button>
        ) : null}
      </div>
      {set.failure ? <FailureView failure={set.failure} /> : null}
    </>
  );
}

function Notes(props: PartProps) {
  const { link, request } = props;
  const { connectionId } = link;
  const { t } = useTranslation();
  const format = useFormat();
  const add = useCall('team.addNote');
  const readAgain = useReadAgain(props);
  const [text, setText] = useState('');

  async function addNow() {
    const ended = await add.run({ connectionId, documentId: request.documentId, text: text.trim() });
    if (!ended.ok) return;
    setText('');
    await readAgain();
  }

  return (
    <>
      {request.notes.length > 0 ? (
        <ul aria-label={t('team.notes')} className={panel.notes}>
          {request.notes.map((note) => (
            <li key={note.noteId}>
              <span className={panel.hint} title={format.fullMoment(note.at)}>
                {`${note.by.person} · ${format.moment(note.at)}`}
              </span>
              <p dir="auto">{note.text}</p>
            </li>
          ))}
        </ul>
      ) : null}
      <TextField
        label={t('team.note')}
        value={text}
        onChange={setText}
        lines
        maxLength={4000}
        help={t('team.noteHelp')}
      />
      <div className={panel.row}>
        <Button
          isDisabled={text.trim() === '' || link.state !== 'connected'}
          isPending={add.busy}
          onPress={() => void addNow()}
        >
          {t('team.addNote')}
        </Button>
      </div>
      {add.failure ? <FailureView failure={add.failure} /> : null}
    </>
  );
}
