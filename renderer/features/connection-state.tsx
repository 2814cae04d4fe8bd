import { Check, CircleDashed, CloudOff, HelpCircle, type LucideIcon, Pause, TriangleAlert, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Connection, ConnectionHealth, ConnectionsState } from '../../contract/connections.ts';
import { useConnection, useCurrentConnection, useLive } from '../bridge/live.tsx';
import { Chip, type ChipIcon, type Tone } from '../parts/chip.tsx';
import { useFormat } from '../parts/format.ts';
import { useJobs } from './jobs/jobs.tsx';

/** What is known of a connection to a service. */
type State = ConnectionHealth['state'] | 'no-credentials' | 'not-tried';

interface Look {
  readonly tone: Tone;
  readonly icon: LucideIcon;
  readonly chip?: ChipIcon;
}

const looks: Readonly<Record<State, Look>> = {
  'no-credentials': { tone: 'remark', icon: TriangleAlert },
  'not-tried': { tone: 'silent', icon: CircleDashed, chip: 'dashed' },
  works: { tone: 'confirmed', icon: Check },
  'credentials-refused': { tone: 'refused', icon: X },
  unreachable: { tone: 'silent', icon: CloudOff },
  away: { tone: 'silent', icon: CloudOff },
  page: { tone: 'remark', icon: TriangleAlert },
  redirected: { tone: 'remark', icon: TriangleAlert },
  faulty: { tone: 'remark', icon: TriangleAlert },
  unclear: { tone: 'unclear', icon: HelpCircle },
};

const held: Look = { tone: 'remark', icon: Pause };

/** True if nothing can be sent: a person has to enter credentials first. The practice connection has its own. */
export function lacksCredentials({ credentials }: Connection): boolean {
  return credentials === 'none';
}

/** The name of a connection, where it is another than the one in use; null of this one. */
export function useOtherConnection(id: string): string | null {
  const { t } = useTranslation();
  const name = useConnection(id)?.name ?? t('documents.gone');
  return useCurrentConnection().id === id ? null : name;
}

/** The chosen kind of credit, else the first one; null if the connection has none. */
export function creditTypeOf({ creditTypes }: Connection, value: number | null) {
  return creditTypes.find((type) => type.value === value) ?? creditTypes[0] ?? null;
}

function stateOf(connection: Connection, health: ConnectionsState['health']): State {
  const { id } = connection;
  return lacksCredentials(connection) ? 'no-credentials' : (health[id]?.state ?? 'not-tried');
}

/** Where something else than the service answers, a person has to know what to do about it. */
const adviceOf = { page: 'html-page', redirected: 'redirected' } as const;

/** What is known of a connection, with the time, and what to do; null for the practice connection, of which there is nothing to know. */
export function useConnectionState(connection: Connection) {
  const { t } = useTranslation();
  const format = useFormat();
  const { health } = useLive().connections;
  if (connection.kind === 'practice') return null;
  const state = stateOf(connection, health);
  const { at, faultStep } = health[connection.id] ?? {};
  const time = at === undefined ? '' : format.momentInText(at);
  const step = faultStep && t(`connections.step.${faultStep}`);
  const text =
    step && (state === 'faulty' || state === 'unclear')
      ? t(`connections.stateIn.${state}`, { step, time })
      : t(`connections.state.${state}`, { time });
  const isElse = state === 'page' || state === 'redirected';
  return { state, text, advice: isElse ? t(`failures.detail.${adviceOf[state]}.advice`) : null } as const;
}

/** Sending on hold says more than the last answer, which was to something else. */
export function useHeld({ id }: Connection): boolean {
  return useJobs().view.queue.held.some(({ connectionId }) => connectionId === id);
}

/** What is known of a connection, as a text. Nothing for the practice connection. */
export function ConnectionStateText({ connection }: { readonly connection: Connection }) {
  const { t } = useTranslation();
  const known = useConnectionState(connection);
  const isHeld = useHeld(connection);
  return known && isHeld ? t('jobs.heldHeading', { connection: connection.name }) : (known?.text ?? null);
}

/** The same as a small picture, without a text. */
export function ConnectionStateIcon(props: { readonly connection: Connection }) {
  const known = useConnectionState(props.connection);
  const isHeld = useHeld(props.connection);
  if (!known) return null;
  const { tone, icon: Icon } = isHeld ? held : looks[known.state];
  return <Icon aria-hidden="true" strokeWidth={2.4} color={`var(--${tone})`} />;
}

/** The same with text and picture. */
export function ConnectionStateChip(props: { readonly connection: Connection }) {
  const known = useConnectionState(props.connection);
  if (!known) return null;
  const { tone, chip } = looks[known.state];
  return (
    <>
      <Chip tone={tone} icon={chip}>
        {known.text}
      </Chip>
      {known.advice}
    </>
  );
}
