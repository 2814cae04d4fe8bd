import { useTranslation } from 'react-i18next';
import type { CallInput } from '../../../contract/index.ts';
import type { TeamPlan } from '../../../contract/team.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { Confirm } from '../../parts/dialog.tsx';
import css from './connections.module.css';
import { SqlStatements } from './sql-statements.tsx';

/** What setting a team up would do in an empty database; done once a person agrees. Then the team can be joined. */
export function SetUpTeam(props: {
  readonly input: CallInput<'team.plan'>;
  readonly plan: TeamPlan;
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
      <div className={css.stack}>
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
