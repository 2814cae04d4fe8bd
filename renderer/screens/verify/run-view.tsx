import { ChevronRight } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import type { VerdictGroup } from '../../../contract/answers.ts';
import type { FileVerdict } from '../../../contract/pdf-signatures.ts';
import type { VerifyRun } from '../../../contract/verify.ts';
import type { FileChange, VerifyResult } from '../../../contract/verify-result.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useConnection } from '../../bridge/live.tsx';
import { useTasks } from '../../bridge/tasks.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { CallButton } from '../../features/call-button.tsx';
import { SortAnswer, unsorted } from '../../features/jobs/sort-answer.tsx';
import { ListBody } from '../../features/list/list-grid.tsx';
import { ListScreen, ListTools, NothingFits } from '../../features/list/list-screen.tsx';
import { waitText } from '../../features/tasks/running.ts';
import { ToneIcon } from '../../parts/chip.tsx';
import { useFormat } from '../../parts/format.ts';
import { openBeside } from '../../parts/keys.ts';
import { useKeptState } from '../../parts/navigation.tsx';
import { VirtualList } from '../../parts/virtual-list.tsx';
import { FileHistoryView } from './file-history.tsx';
import { LeftOut, useReportParts } from './report-part.tsx';
import { spanOf } from './result-texts.ts';
import { RunCounters, RunProgress } from './run-counters.tsx';
import { VerdictCard } from './verdict-card.tsx';
import { verdictTones } from './verdict-tones.ts';
import css from './verify.module.css';
import { useRunResults } from './verify-runs.ts';

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
  const filtered = useFilteredRun(runId, onRun);
  const { run, list } = filtered;
  const again = useCall('verify.tryAgain');
  const report = useReportParts(runId, run?.endedAt ?? null);
  return (
    <ListScreen
      ref={openByArrows}
      title={run?.kind === 'audit' ? run.title : t('verify.title')}
      back={{ text: t('verify.back'), go: props.onBack }}
      about={run ? <Lead run={run} /> : null}
      actions={
        <>
          {run ? <RunActions run={run} againCount={list.head?.againCount ?? 0} /> : null}
          {props.actions}
          {run && (run.answered > 0 || (run.total > 0 && run.state !== 'running')) ? report.button : null}
        </>
      }
      head={
        <>
          {props.failure}
          {run ? <RunState run={run} filtered={filtered} /> : null}
          {report.lines}
          {run ? <LeftOut runId={runId} count={run.leftOut} /> : null}
          {again.failure ? <FailureView failure={again.failure} /> : null}
        </>
      }
      panel={
        open ? (
          <FileHistoryView
            runId={runId}
            connectionId={run?.connectionId ?? null}
            result={list.find((row) => row.index === open.index) ?? open}
            onSort={setWord}
            onClose={() => setOpen(null)}
          />
        ) : null
      }
    >
      <Results filtered={filtered}>
        {(result) => (
          <VerdictCard
            result={result}
            connectionId={run?.connectionId ?? null}
            hasOwnTime={run?.kind === 'audit'}
            isOpen={open?.index === result.index}
            onDetails={() => setOpen(result)}
            onSort={setWord}
            onTryAgain={() => void again.run({ runId, index: result.index })}
          />
        )}
      </Results>
      {word === null ? null : <SortAnswer thing={unsorted(word)} onClose={() => setWord(null)} />}
    </ListScreen>
  );
}

/** The arrows open the next and the previous file while one is open, except where they move something else. */
function openByArrows(box: HTMLElement | null): (() => void) | undefined {
  if (!box) return undefined;
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

interface RunFilter {
  readonly group: VerdictGroup | null;
  readonly change: FileChange | null;
  readonly own: FileVerdict | null;
  readonly search: string;
}
const noFilter: RunFilter = { group: null, change: null, own: null, search: '' };

/** A run and its results, filtered by verdict, by change, by what files prove themselves, and by a search. */
function useFilteredRun(runId: string, onRun: (run: VerifyRun) => void) {
  const [filter, setFilter] = useKeptState(`filter ${runId}`, noFilter);
  const asked = { ...filter, search: filter.search.trim() };
  const list = useRunResults(runId, Object.fromEntries(Object.entries(asked).filter(([, value]) => value)));
  const run = list.head?.run ?? null;
  // A word that got a meaning takes its files out of their group: the last of them are shown among all, in place of nothing.
  const isLeft = run !== null && filter.group !== null && run.counts[filter.group] === 0;
  useEffect(() => {
    if (run) onRun(run);
    if (isLeft) setFilter((now) => ({ ...now, group: null }));
  }, [run, onRun, isLeft, setFilter]);
  return {
    list,
    run,
    ownCounts: list.head?.ownCounts ?? {},
    isFiltered: Object.values(filter).some(Boolean),
    filter,
    narrow: (part: Partial<RunFilter>) => setFilter((now) => ({ ...now, ...part })),
    showAll: () => setFilter(noFilter),
  };
}

type FilteredRun = ReturnType<typeof useFilteredRun>;

/** Why the run stopped, its progress, and the counters and the search, which set the filter. */
function RunState({ run, filtered }: { readonly run: VerifyRun; readonly filtered: FilteredRun }) {
  const { filter, narrow } = filtered;
  const { t } = useTranslation();
  const counters = (
    <RunCounters
      counted={filtered.list.head?.found ?? run}
      ownCounts={filtered.ownCounts}
      {...filter}
      onGroup={(group) => narrow({ group })}
      onChange={(change) => narrow({ change })}
      onOwn={(own) => narrow({ own })}
    />
  );
  return (
    <>
      {run.trouble ? <FailureView failure={run.trouble} calm /> : null}
      <RunProgress run={run} />
      {run.total > 1 ? (
        <ListTools
          label={t('verify.search')}
          placeholder={t('verify.searchPlaceholder')}
          search={filter.search}
          onSearch={(search) => narrow({ search })}
        >
          {counters}
        </ListTools>
      ) : (
        counters
      )}
    </>
  );
}

/** The list of results, what is confirmed folded behind what needs a person; or a notice if the filter hides all of them. */
function Results(props: { readonly filtered: FilteredRun; readonly children: (result: VerifyResult) => ReactNode }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { run, list, isFiltered, showAll } = props.filtered;
  const { onRange } = list;
  const total = list.total ?? 0;
  const fold = useFoldedConfirmed(props.filtered);
  const folds = fold.at ?? total;
  const items = {
    length: fold.at === null ? total : folds + 1 + (fold.isOpen ? total - folds : 0),
    at: (place: number) => (place === fold.at ? confirmedRow : list.rowAt(place < folds ? place : place - 1)),
  };
  // Rows behind the folding one have places that are one less.
  const onShow = useCallback((first: number, last: number) => onRange(Math.max(0, first - 1), last), [onRange]);
  return (
    <ListBody list={list} empty={isFiltered ? <NothingFits onClear={showAll} /> : null}>
      <VirtualList label={t('verify.results')} items={items} rowHeight={40} keyOf={keyOfRow} onRange={onShow}>
        {(item) =>
          item === confirmedRow ? (
            <AriaButton className={css.confirmed ?? ''} aria-expanded={fold.isOpen} onPress={fold.toggle}>
              <ToneIcon {...verdictTones.confirmed} />
              {t('verify.confirmedFiles', { shown: format.number(run?.counts.confirmed ?? 0) })}
              <ChevronRight aria-hidden="true" />
            </AriaButton>
          ) : (
            props.children(item)
          )
        }
      </VirtualList>
    </ListBody>
  );
}

const confirmedRow = 'confirmed';
/** Fewer of them leave room for the others. */
const fewestFolded = 10;

const keyOfRow = (item: VerifyResult | typeof confirmedRow) => (item === confirmedRow ? item : `file-${item.index}`);

/** Where the confirmed files begin, which are last, and whether they are shown. Nothing is folded while files may change their places, or where files contradict what the service confirms. */
function useFoldedConfirmed({ run, list, ownCounts, isFiltered }: FilteredRun) {
  const total = list.total ?? 0;
  const [isOpen, setOpen] = useKeptState(`confirmed ${run?.runId ?? ''}`, false);
  const count = run?.counts.confirmed ?? 0;
  const isStill = run !== null && run.state !== 'running' && run.answered === total;
  const isContradicted = (ownCounts.broken ?? 0) + (ownCounts.changed ?? 0) > 0;
  const isFolding = isStill && !isFiltered && !isContradicted && count >= fewestFolded && count < total;
  return { at: isFolding ? total - count : null, isOpen, toggle: () => setOpen(!isOpen) };
}

function RunActions(props: { readonly run: VerifyRun; readonly againCount: number }) {
  const { t } = useTranslation();
  const { run } = props;
  const count = props.againCount;
  if (run.state === 'running') {
    return (
      <CallButton call="tasks.stop" input={{ taskId: run.runId }}>
        {t('verify.stop')}
      </CallButton>
    );
  }
  return (
    <>
      {run.state === 'stopped' ? (
        <CallButton call="verify.resume" input={{ runId: run.runId }}>
          {t('verify.resume')}
        </CallButton>
      ) : null}
      {count > 0 && run.counts['no-answer'] > 1 ? (
        <CallButton call="verify.tryGroupAgain" input={{ runId: run.runId, group: 'no-answer' }}>
          {t('verify.tryGroup', { count })}
        </CallButton>
      ) : null}
    </>
  );
}

function Lead(props: { readonly run: VerifyRun }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { run } = props;
  const task = useTasks('verification').find(({ taskId }) => taskId === run.runId);
  const waits = task ? waitText(t, format, task) : null;
  const connection = useConnection(run.connectionId ?? '')?.name ?? t('documents.gone');
  const progress = { connection, done: format.number(run.answered), total: format.number(run.total) };
  if (run.listing) return t('verify.listing', progress);
  const isRunning = run.state === 'running';
  const read = { connection, done: format.number(run.answered + run.looked), total: format.number(run.total) };
  const when = spanOf(t, run, format.momentInText);
  if (run.connectionId === null) return isRunning ? t('own.local.reading', read) : t('own.local.read', { when });
  if (isRunning && run.trouble) return t('own.local.away', read);
  if (isRunning) return [t('verify.asking', progress), waits].filter(Boolean).join(' · ');
  // That a file is no PDF is an answer, too.
  const done = (run.state === 'stopped' ? run.answered : run.total) - run.counts['no-answer'];
  const [sent, answered] = [format.number(run.calls), format.number(run.replies)];
  const isOnceEach = run.calls === done && run.replies === done;
  const checks = isOnceEach ? null : t('verify.checksUsed', { sent, answered });
  if (run.state === 'stopped') return [t('verify.stopped', progress), checks].filter(Boolean).join(' ');
  const words = { ...progress, count: run.total, done: format.number(done), when };
  return [
    t(done < run.total ? 'verify.askedSome' : 'verify.asked', words),
    checks,
    run.kind === 'audit' && run.calls < run.total ? t('verify.restUnchanged') : null,
  ]
    .filter(Boolean)
    .join(' ');
}
