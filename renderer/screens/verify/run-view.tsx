import { ChevronRight } from 'lucide-react';
import { type ReactNode, useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import type { VerdictGroup } from '../../../contract/answer.ts';
import type { FileVerdict } from '../../../contract/pdf-signatures.ts';
import type { VerifyRun } from '../../../contract/verify.ts';
import type { FileChange, VerifyResult } from '../../../contract/verify-result.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useConnection } from '../../bridge/live.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { Button } from '../../parts/button.tsx';
import { ToneIcon } from '../../parts/chip.tsx';
import { Empty } from '../../parts/empty.tsx';
import { SearchField } from '../../parts/field.tsx';
import { useFormat } from '../../parts/format.ts';
import { useKeptState } from '../../parts/navigation.tsx';
import { openBeside } from '../../parts/open-beside.ts';
import { Page } from '../../parts/page.tsx';
import { VirtualList } from '../../parts/virtual-list.tsx';
import { FileHistoryView } from './file-history.tsx';
import { LeftOut } from './left-out.tsx';
import { useReportParts } from './report-part.tsx';
import { RunCounters, RunProgress } from './run-counters.tsx';
import { SortDialog } from './sort-dialog.tsx';
import { VerdictCard } from './verdict-card.tsx';
import { verdictTones } from './verdict-tones.ts';
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

/** One verification: counters, then results with failures first; the history of a file beside the list. */
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
  const connectionId = run?.connectionId ?? null;
  const arrows = useCallback((box: HTMLDivElement) => openByArrows(box), []);
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
      <div ref={arrows} className={`${css.split} ${open ? css.withPanel : ''}`}>
        <Results filtered={filtered}>
          {(result) => (
            <VerdictCard
              result={result}
              connectionId={connectionId}
              hasOwnTime={run?.kind === 'audit'}
              isOpen={open?.index === result.index}
              onDetails={() => setOpen(result)}
              onSort={setWord}
              onTryAgain={() => void again.run({ runId, index: result.index })}
            />
          )}
        </Results>
        {open ? (
          <FileHistoryView
            runId={runId}
            connectionId={connectionId}
            result={[...rows.values()].find((row) => row.index === open.index) ?? open}
            onSort={setWord}
            onClose={() => setOpen(null)}
          />
        ) : null}
      </div>
      {word === null ? null : <SortDialog word={word} onClose={() => setWord(null)} />}
    </Page>
  );
}

/** The arrows open the next and the previous file while one is open, except where they move something else. */
function openByArrows(box: HTMLElement): () => void {
  const onKey = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : null;
    const isPlain = !(event.ctrlKey || event.metaKey || event.altKey || event.shiftKey);
    const moves =
      event.target instanceof Element && event.target.matches('input, select, [role="radio"], [aria-haspopup]');
    if (by === null || !isPlain || moves || event.defaultPrevented || !box.querySelector('aside')) return;
    event.preventDefault();
    openBeside(by);
  };
  box.addEventListener('keydown', onKey);
  return () => box.removeEventListener('keydown', onKey);
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
    isFiltered: Boolean(group || change || own || search),
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

/** The list of results, what is confirmed folded behind what needs a person; or a notice if the filter hides all of them. */
function Results(props: { readonly filtered: FilteredRun; readonly children: (result: VerifyResult) => ReactNode }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { snapshot, isFiltered, showAll, setVisible } = props.filtered;
  const { run, rows, total } = snapshot;
  const fold = useFoldedConfirmed(props.filtered);
  const items = useMemo((): readonly (VerifyResult | typeof confirmedRow | undefined)[] => {
    const places = Array.from({ length: total }, (_, place) => rows.get(place));
    return fold.at === null
      ? places
      : [...places.slice(0, fold.at), confirmedRow, ...(fold.isOpen ? places.slice(fold.at) : [])];
  }, [rows, total, fold.at, fold.isOpen]);
  // Rows behind the folding one have places that are one less.
  const onRange = useCallback(
    (first: number, last: number) => setVisible(fold.at === null ? first : Math.max(0, first - 1), last),
    [setVisible, fold.at],
  );
  if (isFiltered && run && total === 0) {
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
      rowHeight={40}
      className={css.list}
      keyOf={(item) => (isResult(item) ? `file-${item.index}` : item)}
      onRange={onRange}
    >
      {(item) =>
        isResult(item) ? (
          props.children(item)
        ) : (
          <AriaButton className={css.confirmed ?? ''} aria-expanded={fold.isOpen} onPress={fold.toggle}>
            <ToneIcon tone={verdictTones.confirmed} />
            {t('verify.confirmedFiles', { shown: format.number(run?.counts.confirmed ?? 0) })}
            <ChevronRight aria-hidden="true" />
          </AriaButton>
        )
      }
    </VirtualList>
  );
}

const confirmedRow = 'confirmed';
/** Fewer of them leave room for the others. */
const fewestFolded = 10;

const isResult = (item: VerifyResult | typeof confirmedRow) => item !== confirmedRow;

/** Where the confirmed files begin, which are last, and whether they are shown. Nothing is folded while files may change their places, or where files contradict what the service confirms. */
function useFoldedConfirmed({ snapshot, isFiltered }: FilteredRun) {
  const { run, total, ownCounts } = snapshot;
  const [isOpen, setOpen] = useKeptState(`confirmed ${run?.runId ?? ''}`, false);
  const count = run?.counts.confirmed ?? 0;
  const isStill = run !== null && run.state !== 'running' && run.answered === total;
  const isContradicted = (ownCounts.broken ?? 0) + (ownCounts.changed ?? 0) > 0;
  const isFolding = isStill && !isFiltered && !isContradicted && count >= fewestFolded && count < total;
  return { at: isFolding ? total - count : null, isOpen, toggle: () => setOpen(!isOpen) };
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
