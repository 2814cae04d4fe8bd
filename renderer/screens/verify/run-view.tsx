import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { VerdictGroup } from '../../../contract/answer.ts';
import type { VerifyResult, VerifyRun } from '../../../contract/verify.ts';
import { skipText } from '../../bridge/failure-text.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useConnection } from '../../bridge/live.tsx';
import { useVerifyResults } from '../../bridge/queries.ts';
import { useTask } from '../../bridge/use-task.ts';
import type { StartedRun } from '../../bridge/work.tsx';
import { useAnnounce } from '../../parts/announcer.tsx';
import { Button } from '../../parts/button.tsx';
import { Counters } from '../../parts/chip.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Fold } from '../../parts/fold.tsx';
import { useFormat } from '../../parts/format.ts';
import { Page } from '../../parts/page.tsx';
import { Progress } from '../../parts/progress.tsx';
import { VirtualList } from '../../parts/virtual-list.tsx';
import { ResultPanel } from './result-panel.tsx';
import { VerdictCard } from './verdict-card.tsx';
import { verdictsByNeed, verdictTones } from './verdict-tones.ts';
import css from './verify.module.css';

/** One verification: counters first, failures first, the details of one file beside. */
export function RunView(props: {
  readonly started: StartedRun;
  readonly failure: ReactNode;
  readonly actions: ReactNode;
}) {
  const { started } = props;
  const { t } = useTranslation();
  const [group, setGroup] = useState<VerdictGroup | null>(null);
  const [open, setOpen] = useState<number | null>(null);
  const { run, results, query, loadMore } = useVerifyResults(started.runId, group ?? undefined);
  const stop = useTask('verify.stop');
  const again = useTask('verify.tryAgain');
  const connection = useConnection(started.connectionId)?.name ?? t('documents.gone');
  const shown = results.find((result) => result.index === open) ?? null;
  useAnnounceEnd(run);

  return (
    <div className={`${css.split} ${shown ? css.withPanel : ''}`}>
      <Page
        title={t('verify.title')}
        lead={<Lead run={run} started={started} connection={connection} />}
        fill
        actions={
          <>
            {run?.state === 'running' ? (
              <Button onPress={() => void stop.run({ runId: started.runId })}>{t('verify.stop')}</Button>
            ) : null}
            {props.actions}
          </>
        }
      >
        {props.failure}
        {run?.state === 'running' ? (
          <Progress label={t('verify.progress')} done={run.answered} total={run.total} />
        ) : null}
        {run ? <GroupCounters run={run} selected={group} onSelect={setGroup} /> : null}
        <SkippedFiles started={started} />
        {query.error ? (
          <FailureView failure={query.error.failure}>
            <Button onPress={() => void query.refetch()}>{t('common.tryAgain')}</Button>
          </FailureView>
        ) : null}
        {again.failure ? <FailureView failure={again.failure} /> : null}
        {group && results.length === 0 && !query.isFetching ? (
          <Empty kind="filtered" heading={t('verify.hiddenHeading')} text={t('verify.hiddenText')}>
            <Button onPress={() => setGroup(null)}>{t('verify.clearFilter')}</Button>
          </Empty>
        ) : (
          <VirtualList
            label={t('verify.results')}
            items={results}
            total={query.data?.pages.at(-1)?.total ?? results.length}
            rowHeight={92}
            gap={10}
            className={css.list}
            keyOf={(result) => String(result.index)}
            onEnd={loadMore}
          >
            {(result: VerifyResult) => (
              <VerdictCard
                result={result}
                isOpen={result.index === open}
                onDetails={() => setOpen(result.index === open ? null : result.index)}
                onTryAgain={() => void again.run({ runId: started.runId, index: result.index })}
              />
            )}
          </VirtualList>
        )}
      </Page>
      {shown ? <ResultPanel result={shown} connection={connection} onClose={() => setOpen(null)} /> : null}
    </div>
  );
}

function Lead(props: { readonly run: VerifyRun | null; readonly started: StartedRun; readonly connection: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { run, connection } = props;
  const total = run?.total ?? props.started.intake.fileCount;
  const progress = { connection, done: format.number(run?.answered ?? 0), total: format.number(total) };
  if (run?.state === 'running') return t('verify.asking', progress);
  if (run?.state === 'stopped') return t('verify.stopped', progress);
  return t('verify.asked', { count: total, connection, when: format.momentInText(props.started.startedAt) });
}

function GroupCounters(props: {
  readonly run: VerifyRun;
  readonly selected: VerdictGroup | null;
  readonly onSelect: (group: VerdictGroup | null) => void;
}) {
  const { t } = useTranslation();
  return (
    <Counters
      label={t('verify.filter')}
      selected={props.selected}
      onSelect={props.onSelect}
      counters={verdictsByNeed
        .filter((group) => props.run.counts[group] > 0 || group === props.selected)
        .map((group) => ({
          key: group,
          tone: verdictTones[group],
          text: t(`verify.counter.${group}`, { count: props.run.counts[group] }),
        }))}
    />
  );
}

function SkippedFiles(props: { readonly started: StartedRun }) {
  const { t } = useTranslation();
  const { skipped, skippedCount } = props.started.intake;
  if (skippedCount === 0) return null;
  return (
    <Fold label={`${t('common.skipped', { count: skippedCount })}: ${t('start.why')}`}>
      <ul className={css.skips}>
        {skipped.map((file) => (
          <li key={`${file.folder}/${file.name}`}>
            <strong>{file.name}</strong> {skipText(t, file.reason, file.kind)}
          </li>
        ))}
      </ul>
    </Fold>
  );
}

/** Says the counts once, when the last answer is in. */
function useAnnounceEnd(run: VerifyRun | null): void {
  const { t } = useTranslation();
  const announce = useAnnounce();
  const said = useRef(false);
  useEffect(() => {
    if (run?.state === 'running') said.current = false;
    if (run?.state !== 'finished' || said.current) return;
    said.current = true;
    const counted = verdictsByNeed
      .filter((group) => run.counts[group] > 0)
      .map((group) => t(`verify.counter.${group}`, { count: run.counts[group] }));
    announce(t('verify.announceFinished', { summary: counted.join(', ') }));
  }, [run, t, announce]);
}
