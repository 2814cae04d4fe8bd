import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TeamLink, TeamRequest } from '../../../contract/team.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { useTeamLink } from '../../features/team/team.ts';
import { useTeamNotes, useTeamRequest } from '../../features/team/team-shared.ts';
import { teamStateText } from '../../features/team/team-state.tsx';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/field.tsx';
import { useFormat } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import panel from '../../parts/overlays/panel.module.css';
import { Facts } from '../../parts/page.tsx';
import { AssignDialog, DueDialog } from './request-dialogs.tsx';

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
        <FailureView failure={request.error.failure} calm onAgain={() => void request.refetch()} />
      ) : null}
      {request.data ? <KeptInTeam link={link} request={request.data} /> : null}
      <Notes link={link} documentId={documentId} />
    </>
  );
}

/** Who takes care of the request and when it is due, each with what changes it. */
function KeptInTeam({ link, request }: { readonly link: TeamLink; readonly request: TeamRequest }) {
  const { connectionId } = link;
  const { documentId, assignee, dueOn } = request;
  const { t } = useTranslation();
  const format = useFormat();
  const [asked, setAsked] = useState<'assign' | 'due' | null>(null);
  const about = { connectionId, requests: [{ documentId, due: null }], onClose: () => setAsked(null) };
  const unavailable = link.state === 'connected' ? undefined : teamStateText(t, link, format.momentInText);
  return (
    <>
      <Facts
        facts={[
          [t('team.assignedTo'), assignee || t('team.unassigned')],
          [t('team.due'), dueOn === null ? t('compose.leftOut') : format.date(dueOn)],
        ]}
      />
      <div className={looks.line}>
        <Button unavailable={unavailable} onPress={() => setAsked('assign')}>
          {t('team.assign')}
        </Button>
        <Button unavailable={unavailable} onPress={() => setAsked('due')}>
          {t('tracking.setDue')}
        </Button>
      </div>
      {asked === 'assign' ? <AssignDialog {...about} now={assignee} /> : null}
      {asked === 'due' ? (
        <DueDialog {...about} isOfTeam now={dueOn === null ? null : { date: dueOn, note: '' }} />
      ) : null}
    </>
  );
}

function Notes({ link, documentId }: { readonly link: TeamLink; readonly documentId: string }) {
  const { connectionId } = link;
  const { t } = useTranslation();
  const format = useFormat();
  const add = useCall('team.addNote');
  const client = useQueryClient();
  const read = useTeamNotes(connectionId, documentId);
  const notes = (read.data?.pages.flat() ?? []).toReversed();
  const [text, setText] = useState('');

  async function addNow() {
    const ended = await add.run({ connectionId, documentId, text: text.trim() });
    if (!ended.ok) return;
    setText('');
    await client.invalidateQueries({ queryKey: ['team', 'shared', connectionId, 'notes', documentId] });
  }

  return (
    <>
      {read.error ? <FailureView failure={read.error.failure} calm onAgain={() => void read.refetch()} /> : null}
      {read.hasNextPage ? (
        <div>
          <Button kind="quiet" isPending={read.isFetchingNextPage} onPress={() => void read.fetchNextPage()}>
            {t('team.moreEvents')}
          </Button>
        </div>
      ) : null}
      {notes.length > 0 ? (
        <ul aria-label={t('team.notes')} className={panel.notes}>
          {notes.map((note) => (
            <li key={note.noteId}>
              <span className={looks.hint} title={format.fullMoment(note.at)}>
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
      <div className={looks.line}>
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
