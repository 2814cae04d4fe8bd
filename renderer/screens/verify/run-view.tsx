import { type ReactNode, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { VerdictGroup } from '../../../contract/answer.ts';
import type { FileVerdict } from '../../../contract/pdf-signatures.ts';
import type { VerifyRun } from '../../../contract/verify.ts';
import type { FileChange, VerifyResult } from '../../../contract/verify-result.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useConnection } from '../../bridge/live.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { Button } from '../../parts/button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { SearchField } from '../../parts/field.tsx';
import { useFormat } from '../../parts/format.ts';
import { useKeptState } from '../../parts/navigation.tsx';
import { Page } from '../../parts/page.tsx';
import { VirtualList } from '../../parts/virtual-list.tsx';
import { FileHistoryView } from './file-history.tsx';
import { LeftOut } from './left-out.tsx';
import { useReportParts } from './report-part.tsx';
import { RunCounters, RunProgress } from './run-counters.tsx';
import { SortDialog } from './sort-dialog.tsx';
import { VerdictCard } from './verdict-card.tsx';
import css from './verify.module.css';
import { useRunSnapshot } from './verify-runs.ts';

interface RunViewProps {
  readonly runId: string;
  readonly failure: ReactNode;
  /** Called with the run when it is known and whenever it has changed. */
  readonly onRun: (run: VerifyRun) => void;
  readonly onBack: () => void;
  readonly actions: ReactNode;
}

/** One verification: counters, then results with failures first; the history of a file replaces the list. */
export function RunView(props: RunViewProps) {
  const { runId, onRun } = props;
  const { t } = useTranslation();
  const [open, setOpen] = useKeptState<VerifyResult | null>(`open ${runId}`, null);
  const [word, setWord] = useState<string | null>(null);
  const filtered = useFilteredRun(runId);
  const { run, rows, failure } = filtered.snapshot;
  const again = useCall('verify.tryAgain');
  useEffect(() => {
    if (run) onRun(run);
  }, [run, onRun]);
  const report = useReportParts(runId);
  const sorting = word === null ? null : <SortDialog word={word} onClose={() => setWord(null)} />;

  if (open) {
    const shown = [...rows.values()].find((row) => row.index === open.index) ?? open;
    return (
      <FileHistoryView
        runId={runId}
        connectionId={run?.connectionId ?? null}
        result={shown}
        onSort={setWord}
        sorting={sorting}
        onBack={() => setOpen(null)}
      />
    );
  }
  return (
    <Page
      title={run?.kind === 'audit' ? run.title : t('verify.title')}
      lead={run ? <Lead run={run} /> : null}
      fill
      back={{ text: t('verify.back'), go: props.onBack }}
      actions={
        <>
          {run ? <GoOrStop run={run} /> : null}
          {props.actions}
          {run && (run.answered > 0 || (run.total > 0 && run.state !== 'running')) ? report.button : null}
        </>
      }
    >
      {props.failure}
      {run ? <RunState run={run} filtered={filtered} /> : null}
      {report.lines}
      {run ? <LeftOut runId={runId} count={run.leftOut} /> : null}
      {failure ? (
        <FailureView failure={failure}>
          <Button onPress={filtered.readAgain}>{t('common.tryAgain')}</Button>
        </FailureView>
      ) : null}
      {again.failure ? <FailureView failure={again.failure} /> : null}
      <Results filtered={filtered}>
        {(result) => (
          <VerdictCard
            result={result}
            connectionId={run?.connectionId ?? null}
            hasOwnTime={run?.kind === 'audit'}
            onDetails={() => setOpen(result)}
            onSort={setWord}
            onTryAgain={() => void again.run({ runId, index: result.index })}
          />
        )}
      </Results>
      {sorting}
    </Page>
  );
}

/** A run and its results, filtered by verdict and by change. */
function useFilteredRun(runId: string) {
  const [group, setGroup] = useKeptState<VerdictGroup | null>(`group ${runId}`, null);
  const [change, setChange] = useKeptState<FileChange | null>(`change ${runId}`, null);
  const [own, setOwn] = useKeptState<FileVerdict | null>(`own ${runId}`, null);
  const [search, setSearch] = useKeptState(`search ${runId}`, '');
  const asked = useDeferredValue(search.trim());
  const { snapshot, setVisible, readAgain } = useRunSnapshot(runId, {
    ...(group ? { group } : {}),
    ...(change ? { change } : {}),
    ...(own ? { own } : {}),
    ...(asked ? { search: asked } : {}),
  });
  const showAll = () => {
    setGroup(null);
    setChange(null);
    setOwn(null);
    setSearch('');
  };
  return {
    snapshot,
    setVisible,
    readAgain,
    group,
    change,
    own,
    search,
    setGroup,
    setChange,
    setOwn,
    setSearch,
    showAll,
  };
}

type FilteredRun = ReturnType<typeof useFilteredRun>;

/** Why the run stopped, its progress, and the counters and the search, which set the filter. */
function RunState({ run, filtered }: { readonly run: VerifyRun; readonly filtered: FilteredRun }) {
  const { group, change, own, search, setGroup, setChange, setOwn, setSearch } = filtered;
  const { t } = useTranslation();
  return (
    <>
      {run.trouble ? <FailureView failure={run.trouble} calm /> : null}
      <RunProgress run={run} />
      <div className={css.tools}>
        <RunCounters
          run={run}
          ownCounts={filtered.snapshot.ownCounts}
          group={group}
          change={change}
          own={own}
          onGroup={setGroup}
          onChange={setChange}
          onOwn={setOwn}
        />
        {run.total > 1 ? (
          <div className={css.search}>
            <SearchField
              label={t('verify.search')}
              placeholder={t('verify.searchPlaceholder')}
              value={search}
              onChange={(text) => setSearch(text.slice(0, 200))}
            />
          </div>
        ) : null}
      </div>
    </>
  );
}

/** The list of results, or a notice if the filter hides all of them. */
function Results(props: { readonly filtered: FilteredRun; readonly children: (result: VerifyResult) => ReactNode }) {
  const { t } = useTranslation();
  const { snapshot, group, change, own, search, showAll, setVisible } = props.filtered;
  const { run, rows, total } = snapshot;
  const items = useMemo(() => Array.from({ length: total }, (_, place) => rows.get(place)), [rows, total]);
  if ((group || change || own || search) && run && total === 0) {
    return (
      <Empty kind="filtered" heading={t('verify.hiddenHeading')} text={t('verify.hiddenText')}>
        <Button onPress={showAll}>{t('verify.clearFilter')}</Button>
      </Empty>
    );
  }
  return (
    <VirtualList
      label={t('verify.results')}
      items={items}
      total={total}
      rowHeight={40}
      className={css.list}
      keyOf={(result) => `file-${result.index}`}
      onRange={setVisible}
    >
      {props.children}
    </VirtualList>
  );
}

function GoOrStop(props: { readonly run: VerifyRun }) {
  const { t } = useTranslation();
  const { run } = props;
  const stop = useCall('tasks.stop');
  const resume = useCall('verify.resume');
  const tryGroup = useCall('verify.tryGroupAgain');
  const silent = run.counts['no-answer'];
  if (run.state === 'running') {
    return (
      <>
        <Button isPending={stop.busy} onPress={() => void stop.run({ taskId: run.runId })}>
          {t('verify.stop')}
        </Button>
        {stop.failure ? <FailureView failure={stop.failure} /> : null}
      </>
    );
  }
  return (
    <>
      {run.state === 'stopped' ? (
        <Button isPending={resume.busy} onPress={() => void resume.run({ runId: run.runId })}>
          {t('verify.resume')}
        </Button>
      ) : null}
      {silent > 1 ? (
        <Button isPending={tryGroup.busy} onPress={() => void tryGroup.run({ runId: run.runId, group: 'no-answer' })}>
          {t('verify.tryGroup', { count: silent })}
        </Button>
      ) : null}
      {resume.failure ? <FailureView failure={resume.failure} /> : null}
      {tryGroup.failure ? <FailureView failure={tryGroup.failure} /> : null}
    </>
  );
}

function Lead(props: { readonly run: VerifyRun }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { run } = props;
  const connection = useConnection(run.connectionId ?? '')?.name ?? t('documents.gone');
  const progress = { connection, done: format.number(run.answered), total: format.number(run.total) };
  if (run.listing) return t('verify.listing', progress);
  const isRunning = run.state === 'running';
  const read = { connection, done: format.number(run.answered + run.looked), total: format.number(run.total) };
  if (run.connectionId === null)
    return isRunning ? t('own.local.reading', read) : t('own.local.read', { when: format.momentInText(run.startedAt) });
  if (isRunning && run.trouble) return t('own.local.away', read);
  if (isRunning) return t('verify.asking', progress);
  if (run.state === 'stopped')
    return run.trouble ? `${t('verify.stopped', progress)} ${t('own.local.rest')}` : t('verify.stopped', progress);
  const unchecked = run.counts['no-answer'];
  const asked = t(unchecked > 0 ? 'verify.askedSome' : 'verify.asked', {
    count: run.total,
    done: format.number(run.total - unchecked),
    connection,
    when: format.momentInText(run.startedAt),
  });
  return run.kind === 'audit' && run.calls < run.total
    ? `${asked} ${t('verify.askedOnly', { count: run.calls })}`
    : asked;
}
