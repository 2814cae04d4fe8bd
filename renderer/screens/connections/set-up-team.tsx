import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { CallInput, CallOutput } from '../../../contract/index.ts';
import type { TeamCheck, TeamPerson } from '../../../contract/team.ts';
import { isolated } from '../../../locales/isolate.ts';
import { failureText } from '../../bridge/failure-text.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { Chip } from '../../parts/chip.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { useFormat } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { Confirm } from '../../parts/overlays/dialog.tsx';
import css from './connections.module.css';

/** What setting a team up would do in an empty database; done once a person agrees. Then the team can be joined. */
export function SetUpTeam(props: {
  readonly input: CallInput<'team.plan'>;
  readonly plan: CallOutput<'team.plan'>;
  readonly onSetUp: () => void;
  readonly onClose: () => void;
}) {
  const { input, plan } = props;
  const { t } = useTranslation();
  const setUp = useCall('team.setUp');

  async function setUpNow() {
    const ended = await setUp.run(input);
    if (ended.ok) props.onSetUp();
  }
  return (
    <Confirm
      title={t('team.setUpTitle')}
      confirm={t('team.setUpConfirm')}
      busy={setUp.busy}
      isDisabled={!plan.isEmpty}
      onConfirm={() => void setUpNow()}
      onClose={props.onClose}
    >
      <div className={looks.stack3}>
        {plan.isEmpty ? (
          <>
            <p>{t('team.setUpText', { user: input.settings.user })}</p>
            <SqlStatements statements={plan.statements} />
          </>
        ) : (
          <p>{t('team.setUpNotEmpty')}</p>
        )}
        {setUp.failure ? <FailureView failure={setUp.failure} /> : null}
      </div>
    </Confirm>
  );
}

/** Differences of clocks below this are not worth a word. */
const clockOffMs = 5_000;

/** What a check found, in plain words. */
export function TeamFound({ found }: { readonly found: TeamCheck }) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  // Each by itself keeps its order in a list from right to left.
  const people = format.list(found.people.map((one) => isolated(personText(one), i18n.language)));
  return (
    <ul className={`${looks.box} ${looks.ruled} ${looks.unlessEmpty}`} aria-label={t('team.checkResult')}>
      {linesOf(t, found, people).map(({ text, isGood }) => (
        <li key={text} className={css.step}>
          <Chip tone={isGood ? 'confirmed' : 'remark'}>
            {t(isGood ? 'connections.result.passed' : 'team.found.attention')}
          </Chip>
          <p>{text}</p>
        </li>
      ))}
    </ul>
  );
}

function linesOf(t: TFunction, found: TeamCheck, people: string) {
  const { role, canSend, problem, isEncrypted, isDurable } = found;
  const seconds = Math.round(Math.abs(found.clockOffByMs) / 1000);
  return [
    { text: t('team.found.server', { server: `PostgreSQL ${found.serverVersion}` }), isGood: true },
    { text: t(`team.role.${role}`), isGood: role !== 'reader' },
    ...(problem ? [{ text: failureText(t, problem).heading, isGood: false }] : []),
    ...(canSend || problem || role === 'reader' ? [] : [{ text: t('team.found.newer'), isGood: false }]),
    // Only an address of this computer is used without encryption.
    { text: t(isEncrypted ? 'team.found.encrypted' : 'team.found.notEncrypted'), isGood: true },
    { text: t(isDurable ? 'team.found.durable' : 'team.found.notDurable'), isGood: isDurable },
    ...(seconds * 1000 < clockOffMs ? [] : [{ text: t('team.found.clock', { count: seconds }), isGood: false }]),
    { text: people === '' ? t('team.found.nobody') : t('team.found.people', { people }), isGood: true },
  ];
}

const personText = ({ person, computer }: TeamPerson) => `${person} (${computer})`;

/** SQL for the database, to read and to copy. */
export function SqlStatements(props: { readonly statements: readonly string[] }) {
  const { t } = useTranslation();
  const text = props.statements.map((statement) => `${statement};`).join('\n\n');
  return (
    <section className={looks.stack3} aria-label={t('team.statements')}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard */}
      <pre className={css.statements} dir="ltr" tabIndex={0}>
        {text}
      </pre>
      <div>
        <CopyButton text={text} label={t('team.copyStatements')} />
      </div>
    </section>
  );
}
