import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Connection } from '../../../contract/connections.ts';
import type { CallInput, CallOutput } from '../../../contract/index.ts';
import type { TeamCheck, TeamLink, TeamPlace } from '../../../contract/team.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { type CallEnd, useCall } from '../../bridge/use-call.ts';
import { useCurrentTeam } from '../../features/team/team.ts';
import { useTeamPeople } from '../../features/team/team-shared.ts';
import { TeamStateChip } from '../../features/team/team-state.tsx';
import { useAnnounce } from '../../parts/announcer.tsx';
import { Button } from '../../parts/button.tsx';
import { Form } from '../../parts/field.tsx';
import { useFormat } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { Confirm, Dialog } from '../../parts/overlays/dialog.tsx';
import { InviteColleague } from './invite-colleague.tsx';
import { SetUpTeam, TeamFound } from './set-up-team.tsx';
import { type TeamDraft, TeamFields, teamDraftOf, teamInputOf } from './team-fields.tsx';
import { useFocusError } from './use-sheet.ts';

/** The team register of a connection: its state, its settings, and joining, changing or leaving it. */
export function TeamDialog(props: { readonly connection: Connection; readonly onClose: () => void }) {
  const { id, name } = props.connection;
  const { t } = useTranslation();
  const { link, place } = useCurrentTeam(id);
  const form = useTeamForm(id, link, place);
  const [isLeaving, setLeaving] = useState(false);
  const [isInviting, setInviting] = useState(false);
  const announce = useAnnounce();
  const { check, join, plan } = form;
  return (
    <Dialog
      title={t('team.title', { name })}
      onClose={props.onClose}
      wide
      actions={
        <>
          {link ? (
            <>
              <Button onPress={() => setLeaving(true)}>{t('team.leave')}</Button>
              <Button onPress={() => setInviting(true)}>{t('team.invite')}</Button>
            </>
          ) : (
            <Button isPending={plan.busy} onPress={() => void form.planNow()}>
              {t('team.setUp')}
            </Button>
          )}
          <Button isPending={check.busy} onPress={() => void form.checkNow()}>
            {t('team.check')}
          </Button>
          <Button onPress={props.onClose}>{t('common.close')}</Button>
          <Button kind="primary" isPending={join.busy} onPress={() => void form.joinNow()}>
            {t(link ? 'team.save' : 'team.join')}
          </Button>
        </>
      }
    >
      <TeamSheet name={name} link={link} place={place} form={form} />
      <TeamQuestions form={form} />
      {isInviting && link ? <InviteColleague link={link} onClose={() => setInviting(false)} /> : null}
      {isLeaving && link ? (
        <LeaveTeam
          link={link}
          onClose={() => setLeaving(false)}
          onLeft={() => {
            announce(t('team.left'));
            props.onClose();
          }}
        />
      ) : null}
    </Dialog>
  );
}

/** What is asked before another service is joined, and before a register is set up. */
function TeamQuestions({ form }: { readonly form: ReturnType<typeof useTeamForm> }) {
  const { t } = useTranslation();
  const { join, planned } = form;
  return (
    <>
      {join.failure?.detail === 'team-other-service' ? (
        <Confirm
          title={t('team.sameServiceTitle')}
          confirm={t('team.sameServiceConfirm')}
          danger
          busy={join.busy}
          onConfirm={() => void form.joinNow(true)}
          onClose={join.clear}
        >
          <p>{t('team.sameServiceText')}</p>
        </Confirm>
      ) : null}
      {planned ? (
        <SetUpTeam
          {...planned}
          onSetUp={() => {
            form.endPlan();
            void form.joinNow();
          }}
          onClose={form.endPlan}
        />
      ) : null}
    </>
  );
}

/** The state of the register, what came of the last try, and the settings. */
function TeamSheet(props: {
  readonly name: string;
  readonly link: TeamLink | null;
  readonly place: TeamPlace | null;
  readonly form: ReturnType<typeof useTeamForm>;
}) {
  const { link, form } = props;
  const { t } = useTranslation();
  const { check, join, plan, failure, found } = form;
  const busy = check.busy || join.busy || plan.busy;
  return (
    <div ref={form.area} className={looks.narrow}>
      {link ? <Joined link={link} /> : <p>{t('team.text')}</p>}
      {link?.role ? <Members connectionId={link.connectionId} /> : null}
      {failure && !failure.fields ? (
        <div data-error-summary="" tabIndex={-1}>
          <FailureView failure={failure} />
        </div>
      ) : null}
      {/* On the page before it says something. */}
      <div role="status">
        {busy ? <p>{t('team.checking')}</p> : null}
        {found && !busy ? <TeamFound found={found} /> : null}
      </div>
      <Form className={looks.narrow} label={t('team.title', { name: props.name })} onSubmit={() => void form.joinNow()}>
        <TeamFields link={link} place={props.place} draft={form.draft} onChange={form.change} failure={failure} />
      </Form>
    </div>
  );
}

/** What is typed, and the three calls that use it. After a failure the focus goes to its reason. */
function useTeamForm(connectionId: string, link: TeamLink | null, place: TeamPlace | null) {
  const { t } = useTranslation();
  const announce = useAnnounce();
  const [typed, setTyped] = useState<Partial<TeamDraft>>({});
  const [found, setFound] = useState<TeamCheck | null>(null);
  const check = useCall('team.check');
  const join = useCall('team.join');
  const plan = useCall('team.plan');
  const [planned, setPlanned] = useState<{
    readonly input: CallInput<'team.plan'>;
    readonly plan: CallOutput<'team.plan'>;
  } | null>(null);
  const area = useRef<HTMLDivElement>(null);
  const failure = check.failure ?? join.failure ?? plan.failure;
  useFocusError(failure, area);
  const draft: TeamDraft = { ...teamDraftOf(link, place), ...typed };

  /** One call at a time; the one before is forgotten. */
  async function tryOut<T>(call: () => Promise<CallEnd<T>>, onDone: (value: T) => void) {
    if (check.busy || join.busy || plan.busy) return;
    for (const one of [check, join, plan]) one.clear();
    setFound(null);
    const ended = await call();
    if (ended.ok) onDone(ended.value);
  }
  const input = teamInputOf(connectionId, link, draft);
  const checkNow = () => tryOut(() => check.run(input), setFound);
  /** Reads what setting up would do, to be shown first. */
  const planNow = () =>
    tryOut(
      () => plan.run(input),
      (value) => setPlanned({ input, plan: value }),
    );
  const joinNow = (isSameService = false) =>
    tryOut(
      () => join.run({ ...input, ...(isSameService ? { isSameService } : {}) }),
      () => {
        setTyped({});
        announce(t(link ? 'team.saved' : 'team.joined'));
      },
    );

  const change = (more: Partial<TeamDraft>) => setTyped((before) => ({ ...before, ...more }));
  const endPlan = () => setPlanned(null);
  const calls = { check, join, plan, failure } as const;
  return { draft, change, ...calls, found, area, checkNow, joinNow, planNow, planned, endPlan } as const;
}

/** How it stands with a register that was joined. */
function Joined({ link }: { readonly link: TeamLink }) {
  const { t } = useTranslation();
  const format = useFormat();
  const tryNow = useCall('team.tryNow');
  const { connectionId, state, failure, role, unreportedCount } = link;
  const again = (
    <Button isPending={tryNow.busy} onPress={() => void tryNow.run({ connectionId })}>
      {t('jobs.tryNow')}
    </Button>
  );
  return (
    <section className={looks.stack3} aria-label={t('team.button')}>
      <p className={`${looks.line} ${looks.said}`}>
        <TeamStateChip link={link} />
        {state === 'connected' ? <span>{t('team.since', { time: format.momentInText(link.since) })}</span> : null}
      </p>
      {role ? <p className={looks.said}>{t(`team.role.${role}`)}</p> : null}
      {unreportedCount > 0 ? <p className={looks.said}>{t('team.unreported', { count: unreportedCount })}</p> : null}
      {link.passwordKept === 'this-run' ? <p className={looks.caution}>{t('team.keptThisRun')}</p> : null}
      {failure ? (
        <FailureView failure={failure} calm>
          {again}
        </FailureView>
      ) : null}
      {tryNow.failure ? <FailureView failure={tryNow.failure} /> : null}
    </section>
  );
}

/** Everybody in the team, with when they were last seen; nothing while the register is away. */
function Members({ connectionId }: { readonly connectionId: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const people = useTeamPeople(connectionId).data ?? [];
  if (people.length === 0) return null;
  return (
    <section className={looks.stack3} aria-label={t('team.members')}>
      <h3>{t('team.members')}</h3>
      <ul className={`${looks.stack1} ${looks.said}`}>
        {people.map(({ person, computer, seenAt }) => (
          <li key={`${person} ${computer}`}>
            {t('team.lastSeen', { person: `${person} (${computer})`, when: format.momentInText(seenAt) })}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Asks before a team is left, and once more if colleagues would not learn of what was sent. */
function LeaveTeam(props: { readonly link: TeamLink; readonly onLeft: () => void; readonly onClose: () => void }) {
  const { connectionId, unreportedCount: count } = props.link;
  const { t } = useTranslation();
  const client = useQueryClient();
  const leave = useCall('team.leave');
  const isUnreported = count > 0;

  async function leaveNow() {
    const ended = await leave.run({ connectionId, evenUnreported: isUnreported });
    if (ended.ok) props.onLeft();
    else await client.invalidateQueries({ queryKey: ['team', 'state'] });
  }

  return (
    <Confirm
      title={t(isUnreported ? 'team.leaveUnreportedTitle' : 'team.leaveTitle')}
      confirm={t(isUnreported ? 'team.leaveUnreportedConfirm' : 'team.leaveConfirm')}
      danger
      busy={leave.busy}
      onConfirm={() => void leaveNow()}
      onClose={props.onClose}
    >
      {isUnreported ? <p role="alert">{t('team.leaveUnreported', { count })}</p> : null}
      <p>{t('team.leaveText')}</p>
      {leave.failure && !(isUnreported && leave.failure.code === 'bad-input') ? (
        <FailureView failure={leave.failure} />
      ) : null}
    </Confirm>
  );
}
