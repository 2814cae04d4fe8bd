import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Connection, ConnectionSettings } from '../../../contract/connections.ts';
import type { TeamInvitation } from '../../../contract/team.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useLive } from '../../bridge/live.tsx';
import { useCall, useChooseFile } from '../../bridge/use-call.ts';
import { useAnnounce } from '../../parts/announcer.tsx';
import { Button } from '../../parts/button.tsx';
import { Form, TextField } from '../../parts/field.tsx';
import looks from '../../parts/looks.module.css';
import { Dialog } from '../../parts/overlays/dialog.tsx';
import { Facts } from '../../parts/page.tsx';
import { CredentialsPart } from './access-fields.tsx';

/**
 * Joins the team of an invitation: with its connection, the own key and the own password at the database. Nothing is asked of either address before a person saw both.
 * `dropped`: an invitation that was read from a file.
 */
export function AcceptInvitation(props: { readonly dropped: TeamInvitation | null; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const [invitation, setInvitation] = useState(props.dropped);
  return invitation?.connection ? (
    <Join invitation={invitation} connection={invitation.connection} onClose={props.onClose} />
  ) : (
    <Dialog
      title={t('team.acceptTitle')}
      onClose={props.onClose}
      actions={<Button onPress={props.onClose}>{t('common.cancel')}</Button>}
    >
      <Find isUnnamed={invitation !== null} onFound={setInvitation} />
    </Dialog>
  );
}

/** Asks for the line or the file. */
function Find(props: { readonly isUnnamed: boolean; readonly onFound: (invitation: TeamInvitation) => void }) {
  const { t } = useTranslation();
  const [line, setLine] = useState('');
  const file = useChooseFile('any');
  const read = useCall('team.readInvitation');
  const isWrong = read.failure?.code === 'bad-input';

  async function take(from: Parameters<typeof read.run>[0]) {
    const ended = await read.run(from);
    if (ended.ok) props.onFound(ended.value);
  }
  return (
    <div className={looks.stack3}>
      <TextField
        label={t('team.invitation')}
        help={t('team.acceptHelp')}
        value={line}
        onChange={(text) => {
          setLine(text);
          if (text.trim() !== '') void take({ line: text.trim() });
        }}
        error={isWrong ? t('team.noInvitation') : undefined}
        maxLength={600_000}
        autoFocus
        mono
      />
      <div>
        <Button
          isPending={file.busy}
          onPress={() => void file.choose().then((chosen) => (chosen ? take({ token: chosen.token }) : undefined))}
        >
          {t('team.openInvitation')}
        </Button>
      </div>
      {props.isUnnamed ? <p role="status">{t('team.acceptOther')}</p> : null}
      {read.failure && !isWrong ? <FailureView failure={read.failure} /> : null}
    </div>
  );
}

interface JoinProps {
  readonly invitation: TeamInvitation;
  readonly connection: ConnectionSettings;
  readonly onClose: () => void;
}

/** What the invitation leads to, and what only this person has. */
function Join(props: JoinProps) {
  const { invitation, connection } = props;
  const { t } = useTranslation();
  const join = useJoin(props);
  const { typed, setTyped, user, setUser, password, setPassword } = join;
  return (
    <Dialog
      title={t('team.acceptTitle')}
      onClose={props.onClose}
      wide
      confirm={
        <Button kind="primary" isPending={join.busy} onPress={() => void join.now()}>
          {t('team.join')}
        </Button>
      }
    >
      <Form className={looks.narrow} label={t('team.acceptTitle')} onSubmit={() => void join.now()}>
        <Facts
          facts={[
            [t('team.acceptService'), <code key="service">{`${connection.baseUrl}${connection.mainPath}`}</code>],
            [
              t('team.database'),
              <code key="database">{`${invitation.host}:${invitation.port}/${invitation.database}`}</code>,
            ],
            [t('team.team'), <bdi key="team">{invitation.team}</bdi>],
          ]}
        />
        <p>{t('team.acceptText')}</p>
        <CredentialsPart
          connection={join.known}
          isMoved={false}
          typed={typed}
          onType={setTyped}
          errorAt={join.errorAt}
        />
        <div className={looks.columns}>
          <TextField label={t('team.user')} value={user} onChange={setUser} maxLength={63} error={join.userError} />
          <TextField
            label={t('team.password')}
            type="password"
            value={password}
            onChange={setPassword}
            maxLength={1000}
          />
        </div>
        {join.failure && !join.failure.fields ? <FailureView failure={join.failure} /> : null}
      </Form>
    </Dialog>
  );
}

/** The register is tried first; a connection that is added for a team that cannot be joined is taken away again. */
function useJoin({ invitation, connection, onClose }: JoinProps) {
  const { t } = useTranslation();
  const announce = useAnnounce();
  const { sealdeskTeam: _form, connection: _connection, user: invited = '', ...place } = invitation;
  const { connections } = useLive().connections;
  const [typed, setTyped] = useState({ apiKey: '', apiSig: '' });
  const [user, setUser] = useState(invited);
  const [password, setPassword] = useState('');
  const [check, save, setKey] = [
    useCall('team.check'),
    useCall('connections.save'),
    useCall('connections.setCredentials'),
  ];
  const [join, use, remove] = [useCall('team.join'), useCall('connections.use'), useCall('connections.remove')];
  const calls = [check, save, setKey, join, use, remove];
  const known = connections.find((one) => isSameService(one, connection)) ?? null;
  const hasKey = typed.apiKey !== '' || typed.apiSig !== '';
  const settings = { ...place, user, person: '' };

  async function now() {
    if (calls.some(({ busy }) => busy)) return;
    for (const call of calls) call.clear();
    const checked = await check.run({ connectionId: known?.id ?? 'invited', settings, password });
    if (!checked.ok) return;
    const connectionId = known?.id ?? (await add());
    if (connectionId === null) return;
    if (known && hasKey && !(await setKey.run({ id: known.id, ...typed })).ok) return;
    const joined = await join.run({ connectionId, settings, password });
    if (!joined.ok) {
      if (!known) await remove.run({ id: connectionId });
      return;
    }
    await use.run({ id: connectionId });
    announce(t('team.joined'));
    onClose();
  }
  async function add(): Promise<string | null> {
    const saved = await save.run({ settings: connection, ...(hasKey ? { credentials: typed } : {}) });
    return saved.ok ? saved.value.id : null;
  }

  const failure = calls.find((call) => call.failure !== null)?.failure ?? null;
  const errorAt = (field: string) =>
    failure?.fields?.[field] === undefined ? undefined : t('connections.fieldRequired');
  return {
    typed,
    setTyped,
    user,
    setUser,
    password,
    setPassword,
    known,
    failure,
    errorAt,
    now,
    userError: errorAt('settings.user'),
    busy: calls.some((call) => call.busy),
  } as const;
}

const isSameService = (one: Connection, other: ConnectionSettings) =>
  one.kind === 'service' &&
  one.baseUrl === other.baseUrl &&
  one.mainPath === other.mainPath &&
  one.namespaceUri === other.namespaceUri;
