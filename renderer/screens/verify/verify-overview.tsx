import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Audit, VerifyRun } from '../../../contract/verify.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useConnection } from '../../bridge/live.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { runName } from '../../features/tasks/running.ts';
import { useRemoval } from '../../features/undo.tsx';
import { Button } from '../../parts/button.tsx';
import { Chip } from '../../parts/chip.tsx';
import { Empty } from '../../parts/empty.tsx';
import { useFormat, visibleName } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { MiddleCut } from '../../parts/middle-cut.tsx';
import { Page } from '../../parts/page.tsx';
import { AuditCard, WatchFolder } from './audit-card.tsx';
import { spanOf } from './result-texts.ts';
import { RunChips, RunProgress } from './run-counters.tsx';
import css from './verify.module.css';
import { useAudits, useRuns } from './verify-runs.ts';

/** All stored verifications, and the watched folders. */
export function VerifyOverview(props: {
  readonly failure: ReactNode;
  readonly actions: ReactNode;
  readonly onOpen: (runId: string) => void;
}) {
  const { t } = useTranslation();
  const { runs, query } = useRuns();
  const audits = useAudits();
  const failed = query.error?.failure ?? audits.query.error?.failure;
  const readAgain = () => void Promise.all([query.refetch(), audits.query.refetch()]);
  const plain = runs?.filter((run) => run.kind === 'files') ?? null;
  // Nothing is drawn before both are known: what comes later would move what is there.
  const isKnown = failed !== undefined || (plain !== null && audits.audits !== null);
  const isEmpty = plain?.length === 0 && audits.audits?.length === 0;
  return (
    <Page title={t('verify.title')} lead={t('verify.lead')} actions={isEmpty || !isKnown ? null : props.actions}>
      {props.failure}
      {failed ? <FailureView failure={failed} onAgain={readAgain} /> : null}
      {isEmpty ? (
        <Empty kind="nothing-yet" heading={t('verify.emptyHeading')} text={t('verify.emptyText')}>
          {props.actions}
        </Empty>
      ) : null}
      {isKnown ? <WatchedFolders audits={audits.audits} onOpen={props.onOpen} /> : null}
      {isKnown && plain && plain.length > 0 ? (
        <section className={looks.stack3} aria-labelledby="verify-recent">
          <div>
            <h2 className={looks.title} id="verify-recent">
              {t('verify.recent')}
            </h2>
            <p className={looks.hint}>{t('verify.recentText')}</p>
          </div>
          {plain.map((run) => (
            <RunRow key={run.runId} run={run} onOpen={() => props.onOpen(run.runId)} />
          ))}
          {query.hasNextPage ? (
            <div>
              <Button isPending={query.isFetchingNextPage} onPress={() => void query.fetchNextPage()}>
                {t('verify.olderRuns')}
              </Button>
            </div>
          ) : null}
        </section>
      ) : null}
    </Page>
  );
}

function WatchedFolders(props: { readonly audits: readonly Audit[] | null; readonly onOpen: (runId: string) => void }) {
  const { t } = useTranslation();
  return (
    <section className={looks.stack3} aria-labelledby="verify-audits">
      <div className={css.sectionHead}>
        <div>
          <h2 className={looks.title} id="verify-audits">
            {t('verify.audits.heading')}
          </h2>
          <p className={looks.hint}>{t('verify.audits.text')}</p>
        </div>
        <WatchFolder />
      </div>
      {props.audits?.length === 0 ? <p className={looks.hint}>{t('verify.audits.none')}</p> : null}
      {props.audits?.map((audit) => (
        <AuditCard key={audit.auditId} audit={audit} onOpen={props.onOpen} />
      ))}
    </section>
  );
}

function RunRow(props: { readonly run: VerifyRun; readonly onOpen: () => void }) {
  const { run } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const resume = useCall('verify.resume');
  const forget = useRemoval('verify.forget');
  const known = useConnection(run.connectionId ?? '')?.name ?? t('documents.gone');
  const connection = run.connectionId === null ? t('own.local.noService') : known;
  const when = spanOf(t, run, format.moment);
  const title = runName(t, run);
  const failure = resume.failure ?? forget.failure;
  const isRunning = run.state === 'running';
  const facts = [when, connection, t('common.files', { count: run.total })].join(' · ');
  return (
    <article className={css.runRow} aria-label={title}>
      <div className={looks.stack1}>
        <h3 className={looks.small}>
          <MiddleCut isSentence text={title} name={visibleName(run.title)} />
        </h3>
        <p className={looks.hint}>{facts}</p>
        <RunProgress run={run} />
        <p className={looks.line}>
          {run.state === 'finished' ? null : (
            <Chip tone={isRunning ? 'info' : 'silent'} icon={isRunning ? 'clock' : 'dashed'}>
              {t(`verify.runState.${run.state}`)}
            </Chip>
          )}
          <RunChips run={run} />
        </p>
        {failure ? <FailureView failure={failure} /> : null}
      </div>
      <div className={css.side}>
        {run.state === 'stopped' ? (
          <Button kind="quiet" isPending={resume.busy} onPress={() => void resume.run({ runId: run.runId })}>
            {t('verify.resume')}
          </Button>
        ) : null}
        {isRunning ? null : (
          <Button kind="quiet" onPress={() => void forget.run({ runId: run.runId }, title)}>
            {t('verify.remove')}
          </Button>
        )}
        <Button onPress={props.onOpen}>{t('verify.open')}</Button>
      </div>
    </article>
  );
}
