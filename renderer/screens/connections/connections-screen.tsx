import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Connection } from '../../../contract/connections.ts';
import type { TeamInvitation } from '../../../contract/team.ts';
import { ask, askValue } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useLive } from '../../bridge/live.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { useDropTarget } from '../../features/files/dropped.ts';
import { type Rejected, RejectedFiles, useTakeFiles } from '../../features/files/taken-files.tsx';
import { useAnnounce } from '../../parts/announcer.tsx';
import { Button } from '../../parts/button.tsx';
import { Chip } from '../../parts/chip.tsx';
import { Empty } from '../../parts/empty.tsx';
import { useFormat } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { useGo } from '../../parts/navigation.tsx';
import { Dialog } from '../../parts/overlays/dialog.tsx';
import { Page } from '../../parts/page.tsx';
import { Problem, Technical } from '../../parts/problem.tsx';
import { AcceptInvitation } from './accept-invitation.tsx';
import { CheckResult, useDoctor } from './check-result.tsx';
import { ConnectionCard } from './connection-card.tsx';
import { ConnectionSheet } from './connection-sheet.tsx';
import { TeamDialog } from './team-dialog.tsx';

const dialogs = { doctor: DoctorDialog, service: ServiceDialog, team: TeamDialog };
type Open = { readonly what: keyof typeof dialogs; readonly id: string } | null;

/** All connections, or the sheet of one. `edit`: the ID to edit, or `new`. `wsdl`: token of a file for the sheet. `team`: the ID whose team register is opened. */
export function ConnectionsScreen(props: {
  readonly edit: string | null;
  readonly wsdl: string | null;
  readonly team: string | null;
}) {
  const { t } = useTranslation();
  const live = useLive();
  const { connections } = live.connections;
  const mayAdd = live.info.policy.mayAddConnections;
  const unavailable = mayAdd ? undefined : t('connections.ownNotAllowed');
  const announce = useAnnounce();
  const go = useGo();
  const [accepting, setAccepting] = useState<{ readonly dropped: TeamInvitation | null } | null>(null);
  const rejected = useDroppedFile(props.edit ?? 'new', (dropped) => setAccepting({ dropped }));
  const [chosen, setOpen] = useState<Open>(null);
  const open: Open = props.team === null ? chosen : { what: 'team', id: props.team };
  const edited = connections.find((connection) => connection.id === props.edit) ?? null;
  const opened = connections.find((connection) => connection.id === open?.id) ?? null;

  function onDone(saved: Connection | null) {
    if (saved) announce(t('connections.saved', { name: saved.name }));
    go({ screen: 'connections' }, 'instead');
  }

  if (props.edit === 'new' || edited) {
    return (
      <ConnectionSheet key={props.edit} connection={edited} wsdl={props.wsdl} rejected={rejected} onDone={onDone} />
    );
  }
  return (
    <Page
      title={t('connections.title')}
      actions={
        <>
          <Button unavailable={unavailable} onPress={() => setAccepting({ dropped: null })}>
            {t('team.accept')}
          </Button>
          <Button kind="primary" unavailable={unavailable} onPress={() => go({ screen: 'connections', edit: 'new' })}>
            {t('connections.add')}
          </Button>
        </>
      }
    >
      <RejectedFiles rejected={rejected} />
      <Cards onOpen={setOpen} />
      {connections.length === 1 && mayAdd ? <Empty kind="nothing-yet" heading={t('connections.noRealYet')} /> : null}
      {accepting ? <AcceptInvitation dropped={accepting.dropped} onClose={() => setAccepting(null)} /> : null}
      {open && opened ? (
        <OpenDialog
          what={open.what}
          connection={opened}
          onClose={() => {
            setOpen(null);
            if (props.team !== null) go({ screen: 'connections' });
          }}
        />
      ) : null}
    </Page>
  );
}

function Cards(props: { readonly onOpen: (open: Open) => void }) {
  const { t } = useTranslation();
  const { connections, currentId, unreadable = 0 } = useLive().connections;
  const go = useGo();
  return (
    <>
      {unreadable > 0 ? <Problem heading={t('connections.unreadable', { count: unreadable })} /> : null}
      <ul className={looks.stack} aria-label={t('connections.list')}>
        {connections.map((connection) => (
          <li key={connection.id}>
            <ConnectionCard
              connection={connection}
              isCurrent={connection.id === currentId}
              onEdit={() => go({ screen: 'connections', edit: connection.id })}
              onCheck={() => props.onOpen({ what: 'doctor', id: connection.id })}
              onService={() => props.onOpen({ what: 'service', id: connection.id })}
              onTeam={() => go({ screen: 'connections', team: connection.id })}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

/** Reads a dropped WSDL into the open sheet, or into that of a new connection, and an invitation to a team. Answers what could not be taken. */
function useDroppedFile(edit: string, onInvitation: (invitation: TeamInvitation) => void): readonly Rejected[] {
  const { t } = useTranslation();
  const go = useGo();
  const take = useTakeFiles();
  const { connections, info } = useLive();
  const [rejected, setRejected] = useState<readonly Rejected[]>([]);
  const target = connections.connections.find(({ id }) => id === edit);
  const isFixed = target ? target.kind === 'practice' || target.managed?.isProvided : !info.policy.mayAddConnections;
  useDropTarget(({ count, types }) => {
    if (isFixed || count !== 1 || types.includes('application/pdf')) return null;
    return {
      text: t('drop.wsdl'),
      take: async (dropped) => {
        const files = await take(dropped);
        setRejected(files.rejected);
        const [file] = files.taken;
        if (file && /\.json$/i.test(file.name)) {
          const read = await ask('team.readInvitation', { token: file.token });
          if (read.ok) return onInvitation(read.value);
        }
        if (file) go({ screen: 'connections', edit, wsdl: file.token });
      },
    };
  });
  return rejected;
}

function OpenDialog(props: {
  readonly what: keyof typeof dialogs;
  readonly connection: Connection;
  readonly onClose: () => void;
}) {
  const Dialog = dialogs[props.what];
  return <Dialog connection={props.connection} onClose={props.onClose} />;
}

/** Checks a connection as soon as it is opened. */
function DoctorDialog(props: { readonly connection: Connection; readonly onClose: () => void }) {
  const { id, name } = props.connection;
  const { t } = useTranslation();
  const doctor = useDoctor(id);
  const { check } = doctor;
  useEffect(() => void check(id), [check, id]);
  return (
    <Dialog
      title={t('connections.doctorTitle', { name })}
      onClose={props.onClose}
      wide
      actions={
        <>
          <Button isPending={doctor.busy} onPress={() => void check(id)}>
            {t('connections.doctorAgain')}
          </Button>
          <Button kind="primary" onPress={props.onClose}>
            {t('common.close')}
          </Button>
        </>
      }
    >
      <CheckResult name={name} isInUse={false} doctor={doctor} />
    </Dialog>
  );
}

/** The answers of GetVersion and GetSchedule as they came, and GetAuthToken as a test of the credentials. */
function ServiceDialog(props: { readonly connection: Connection; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const { id: connectionId, name } = props.connection;
  return (
    <Dialog title={t('service.title', { name })} onClose={props.onClose}>
      <p>{t('service.text')}</p>
      <ServiceReply what="version" connectionId={connectionId} />
      <ServiceReply what="schedule" connectionId={connectionId} />
      <Credentials connectionId={connectionId} />
    </Dialog>
  );
}

function ServiceReply(props: { readonly what: 'version' | 'schedule'; readonly connectionId: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { what, connectionId } = props;
  const reply = useQuery({
    queryKey: ['service', what, connectionId],
    queryFn: () => askValue(`service.${what}`, { connectionId }),
    gcTime: 0,
  });
  return (
    <section className={`${looks.stack1} ${looks.small}`} aria-label={t(`service.${what}`)}>
      <div className={looks.line}>
        <h3>{t(`service.${what}`)}</h3>
        {reply.data ? <span>{t('documents.asOf', { time: format.momentInText(reply.data.askedAt) })}</span> : null}
        <Button kind="quiet" isPending={reply.isFetching} onPress={() => void reply.refetch()}>
          {t('service.askAgain')}
        </Button>
      </div>
      {reply.isPending ? <p role="status">{t('service.testing')}</p> : null}
      {reply.error ? <FailureView failure={reply.error.failure} calm /> : null}
      {reply.data ? <Technical text={reply.data.raw ?? t('common.noAnswerText')} /> : null}
    </section>
  );
}

function Credentials(props: { readonly connectionId: string }) {
  const { t } = useTranslation();
  const test = useCall('service.testCredentials');
  const [accepted, setAccepted] = useState(false);
  return (
    <section className={`${looks.stack1} ${looks.small}`} aria-label={t('service.credentials')}>
      <div className={looks.line} role="status">
        <h3>{t('service.credentials')}</h3>
        {accepted ? <Chip tone="confirmed">{t('service.accepted')}</Chip> : null}
        <Button
          kind="quiet"
          isPending={test.busy}
          onPress={() => void test.run({ connectionId: props.connectionId }).then((end) => setAccepted(end.ok))}
        >
          {t('service.testCredentials')}
        </Button>
      </div>
      {test.failure ? <FailureView failure={test.failure} /> : null}
    </section>
  );
}
