import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type TeamLink, type TeamRole, teamRoles } from '../../../contract/team.ts';
import { askValue } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { Button } from '../../parts/button.tsx';
import { Choice } from '../../parts/choice.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { TextField } from '../../parts/field.tsx';
import { useDebounced } from '../../parts/hooks/use-debounced.ts';
import looks from '../../parts/looks.module.css';
import { Dialog } from '../../parts/overlays/dialog.tsx';
import { SqlStatements } from './set-up-team.tsx';

/** An invitation to the team of a connection, as a line or a file; for a lead with what lets the colleague into the database. */
export function InviteColleague(props: { readonly link: TeamLink; readonly onClose: () => void }) {
  const { connectionId, role: ownRole } = props.link;
  const { t } = useTranslation();
  const [login, setLogin] = useState('');
  const [role, setRole] = useState<TeamRole>('member');
  const asked = useDebounced(login.trim());
  const input = { connectionId, role, ...(asked === '' ? {} : { login: asked }) };
  const invite = useQuery({
    queryKey: ['team', 'invite', input],
    queryFn: () => askValue('team.invite', input),
    placeholderData: (before) => before,
    gcTime: 0,
  });
  const save = useCall('team.saveInvitation');
  const [savedAs, setSavedAs] = useState<string | null>(null);
  const failure = invite.error?.failure ?? save.failure;
  const { line = '', statements = [] } = invite.data ?? {};

  async function saveNow() {
    const saved = await save.run(input);
    if (saved.ok && saved.value) setSavedAs(saved.value.fileName);
  }
  return (
    <Dialog
      title={t('team.inviteTitle')}
      onClose={props.onClose}
      wide
      actions={
        <Button kind="primary" onPress={props.onClose}>
          {t('common.close')}
        </Button>
      }
    >
      <div className={looks.narrow}>
        <p>{t('team.inviteText')}</p>
        {ownRole === 'lead' ? <Colleague login={login} role={role} onLogin={setLogin} onRole={setRole} /> : null}
        {statements.length > 0 ? <SqlStatements statements={statements} /> : null}
        <TextField label={t('team.invitation')} value={line} onChange={() => undefined} isReadOnly lines mono />
        <div className={looks.line}>
          <CopyButton text={line} label={t('team.copyInvitation')} />
          <Button isPending={save.busy} onPress={() => void saveNow()}>
            {t('team.saveInvitation')}
          </Button>
          <span role="status">{savedAs === null ? null : t('team.savedInvitation', { name: savedAs })}</span>
        </div>
        {failure ? <FailureView failure={failure} /> : null}
      </div>
    </Dialog>
  );
}

/** The colleague's user of the database, and the role to be given. */
function Colleague(props: {
  readonly login: string;
  readonly role: TeamRole;
  readonly onLogin: (login: string) => void;
  readonly onRole: (role: TeamRole) => void;
}) {
  const { t } = useTranslation();
  return (
    <div className={looks.columns}>
      <TextField
        label={t('team.inviteUser')}
        value={props.login}
        onChange={props.onLogin}
        maxLength={63}
        help={t('team.inviteUserHelp')}
        autoFocus
      />
      <Choice
        label={t('team.inviteRole')}
        value={props.role}
        choices={teamRoles.map((key) => ({ key, text: t(`team.roleName.${key}`) }))}
        onChange={props.onRole}
      />
    </div>
  );
}
