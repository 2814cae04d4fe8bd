import { useTranslation } from 'react-i18next';
import type { Audit, ChangeCounts } from '../../../contract/verify.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useConnection, useCurrentConnection, useLive } from '../../bridge/live.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { useCallBudget } from '../../features/signature-queries.ts';
import { useRemoval } from '../../features/undo.tsx';
import { Button } from '../../parts/button.tsx';
import { Choice } from '../../parts/choice.tsx';
import { useFormat } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { MiddleCut } from '../../parts/middle-cut.tsx';
import { MenuButton } from '../../parts/overlays/menu-button.tsx';
import { spanOf } from './result-texts.ts';
import { RunChips, RunProgress } from './run-counters.tsx';
import css from './verify.module.css';

const hour = 60;
const plans = { onDemand: null, hourly: hour, daily: 24 * hour, weekly: 7 * 24 * hour } as const;
type Plan = keyof typeof plans;
const planNames = Object.keys(plans) as readonly Plan[];

/** Adds a watched folder; the person starts the first run. Only on the desktop: a browser passes files, not folders. */
export function WatchFolder() {
  const { t } = useTranslation();
  const isDesktop = useLive().info.host === 'desktop';
  const connection = useCurrentConnection();
  const choose = useCall('files.choose');
  const add = useCall('audits.add');
  const watch = async () => {
    const chosen = await choose.run({ kind: 'folder' });
    if (!chosen.ok || !chosen.value) return;
    for (const { token } of chosen.value) await add.run({ connectionId: connection.id, token });
  };
  const failure = choose.failure ?? add.failure;
  if (!isDesktop) return null;
  return (
    <div className={css.side}>
      <Button isPending={choose.busy || add.busy} onPress={() => void watch()}>
        {t('verify.audits.add')}
      </Button>
      {failure ? <FailureView failure={failure} /> : null}
    </div>
  );
}

/** A watched folder: its last run, what changed, and how often it runs. */
export function AuditCard(props: { readonly audit: Audit; readonly onOpen: (runId: string) => void }) {
  const { audit } = props;
  const { auditId, lastRun: last } = audit;
  const { t } = useTranslation();
  const run = useCall('audits.run');
  const remove = useRemoval('audits.remove');
  const connection = useConnection(audit.connectionId)?.name ?? t('documents.gone');
  const isRunning = last?.state === 'running';
  return (
    <article className={css.runRow} aria-label={audit.name}>
      <div className={looks.stack1}>
        <h3 className={looks.small}>
          <MiddleCut text={audit.name} />
        </h3>
        <p className={looks.hint}>
          {connection} · {t('common.files', { count: audit.fileCount })} · <When audit={audit} />
        </p>
        {last ? <RunProgress run={last} /> : null}
        {last ? (
          <p className={looks.line}>
            <RunChips run={last} changes />
          </p>
        ) : null}
        {last && hasNoChanges(last.changes) && !isRunning ? (
          <p className={looks.hint}>{t('verify.audits.nothingChanged')}</p>
        ) : null}
        {run.failure ? <FailureView failure={run.failure} subject={audit.name} /> : null}
        {remove.failure ? <FailureView failure={remove.failure} subject={audit.name} /> : null}
      </div>
      <div className={css.auditSide}>
        <AuditActions
          audit={audit}
          run={run}
          onOpen={props.onOpen}
          onRemove={() => void remove.run({ auditId }, audit.name)}
        />
        <Schedule audit={audit} />
      </div>
    </article>
  );
}

function AuditActions(props: {
  readonly audit: Audit;
  readonly run: ReturnType<typeof useCall<'audits.run'>>;
  readonly onOpen: (runId: string) => void;
  readonly onRemove: () => void;
}) {
  const { run } = props;
  const { auditId, lastRun: last } = props.audit;
  const { t } = useTranslation();
  const start = async (ask: 'changes' | 'contents' | 'everything') => {
    const begun = await run.run({ auditId, ask });
    if (begun.ok) props.onOpen(begun.value.runId);
  };
  return (
    <div className={css.side}>
      {last ? (
        <Button kind="quiet" onPress={() => props.onOpen(last.runId)}>
          {t('verify.audits.open')}
        </Button>
      ) : null}
      {last?.state === 'running' ? null : (
        <>
          <MenuButton
            kind="quiet"
            label={t('verify.audits.more')}
            choices={[
              { key: 'contents', text: t('verify.audits.runContents') },
              { key: 'everything', text: t('verify.audits.runAll') },
              { key: 'remove', text: t('verify.audits.remove') },
            ]}
            onChoose={(key) => (key === 'remove' ? props.onRemove() : void start(key))}
          />
          <Button isPending={run.busy} onPress={() => void start('changes')}>
            {t('verify.audits.run')}
          </Button>
        </>
      )}
    </div>
  );
}

function When(props: { readonly audit: Audit }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { lastRun: last, nextAt } = props.audit;
  // Else none begins by itself.
  const isAutomatic = useCallBudget()?.isAutomatic ?? false;
  if (!last) return t('verify.audits.never');
  if (last.state === 'running' && !last.listing) {
    return t('verify.audits.running', { done: format.number(last.answered), total: format.number(last.total) });
  }
  const lastRun = t('verify.audits.last', { when: spanOf(t, last, format.momentInText) });
  return nextAt && isAutomatic
    ? `${lastRun}, ${t('verify.audits.next', { when: format.momentInText(nextAt) })}`
    : lastRun;
}

function Schedule(props: { readonly audit: Audit }) {
  const { t } = useTranslation();
  const { auditId, everyMinutes } = props.audit;
  const plan = useCall('audits.plan');
  const known = planNames.find((name) => plans[name] === everyMinutes);
  const choices: { key: Plan | 'own'; text: string }[] = planNames.map((key) => ({
    key,
    text: t(`verify.audits.${key}`),
  }));
  if (!known) choices.push({ key: 'own', text: t('verify.audits.other', { count: everyMinutes ?? 0 }) });
  return (
    <>
      <Choice
        label={t('verify.audits.every')}
        hideLabel
        value={known ?? 'own'}
        choices={choices}
        onChange={(key) => (key === 'own' ? undefined : void plan.run({ auditId, everyMinutes: plans[key] }))}
      />
      {everyMinutes === null ? null : <p className={looks.hint}>{t('verify.audits.scheduleText')}</p>}
      {plan.failure ? <FailureView failure={plan.failure} /> : null}
    </>
  );
}

function hasNoChanges(changes: ChangeCounts | null): boolean {
  return changes !== null && Object.entries(changes).every(([change, count]) => change === 'unchanged' || count === 0);
}
