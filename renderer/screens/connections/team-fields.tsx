import { useTranslation } from 'react-i18next';
import type { Failure } from '../../../contract/failure.ts';
import type { CallInput } from '../../../contract/index.ts';
import { passwordPlace, type TeamLink, type TeamPlace, type TeamSettings } from '../../../contract/team.ts';
import { TextField, WholeNumberField } from '../../parts/field.tsx';
import looks from '../../parts/looks.module.css';
import { useFieldErrors } from './connection-draft.ts';

/** What is typed of a team register and is not saved yet. */
export type TeamDraft = Readonly<TeamSettings & { password: string }>;

/** The settings of a register that was joined, or those to start with, and what the organisation sets of them. The password is never among them. */
export function teamDraftOf(link: TeamLink | null, place: TeamPlace | null): TeamDraft {
  const first = { host: '', port: 5432, database: '', user: '', team: 'team', person: '', ca: '' };
  return { ...(link?.settings ?? first), ...place, password: '' };
}

/** True if a password is kept for the server and the user that are typed: for any other it has to be typed again. */
const isKeptFor = (link: TeamLink | null, draft: TeamDraft) =>
  link !== null && link.passwordKept !== 'none' && passwordPlace(link.settings) === passwordPlace(draft);

/** The input of `team.check` and `team.join`. Without a password the kept one is used. */
export function teamInputOf(connectionId: string, link: TeamLink | null, draft: TeamDraft): CallInput<'team.join'> {
  const { password, ...settings } = draft;
  return { connectionId, settings, ...(password === '' && isKeptFor(link, draft) ? {} : { password }) };
}

interface FieldsProps {
  readonly link: TeamLink | null;
  /** What the organisation sets; null if it sets none. */
  readonly place: TeamPlace | null;
  readonly draft: TeamDraft;
  readonly onChange: (change: Partial<TeamDraft>) => void;
  readonly failure: Failure | null;
}

/** Where the register is, and who one is there. The password cannot be read back. */
export function TeamFields({ link, place, draft, onChange, failure }: FieldsProps) {
  const { t } = useTranslation();
  const errorAt = useFieldErrors(failure);
  const lockedAt = (name: keyof TeamDraft) => (place && name in place ? t('settings.managed') : undefined);
  const text = (name: Exclude<keyof TeamDraft, 'port'>, max: number) => ({
    label: t(name === 'ca' ? 'connections.extraCa' : `team.${name}`),
    value: draft[name],
    onChange: (value: string) => onChange({ [name]: value }),
    error: errorAt(name),
    locked: lockedAt(name),
    maxLength: max,
  });
  return (
    <>
      <div className={looks.columns}>
        <TextField {...text('host', 255)} autoFocus={link === null && place === null} />
        <WholeNumberField
          label={t('team.port')}
          value={draft.port}
          onChange={(port) => onChange({ port })}
          min={1}
          max={65_535}
          error={errorAt('port')}
          locked={lockedAt('port')}
        />
        <TextField {...text('database', 63)} />
        <TextField {...text('team', 80)} />
        <TextField {...text('user', 63)} autoFocus={link === null && place !== null} />
        <TextField
          {...text('password', 1000)}
          type="password"
          {...(isKeptFor(link, draft) ? { placeholder: t('connections.storedNotShown') } : {})}
        />
      </div>
      <TextField {...text('person', 80)} help={t('team.personHelp')} />
      <TextField {...text('ca', 200_000)} lines mono help={t('connections.extraCaHelp')} />
    </>
  );
}
