import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Batch, Job } from '../../../contract/jobs.ts';
import { ListBody } from '../../features/list/list-grid.tsx';
import { type PagedList, type Span, usePages } from '../../features/list/pages.ts';
import looks from '../../parts/looks.module.css';
import { VirtualList } from '../../parts/virtual-list.tsx';
import { BatchHead } from './batch-head.tsx';
import { JobCard } from './job-detail.tsx';
import css from './jobs.module.css';
import type { useBatches } from './jobs-queries.ts';
import { type Stretch, stretchAt, visibleLists } from './jobs-rows.ts';
import { LogHead, LogLine } from './log-line.tsx';
import type { useJobSelection } from './selection-bar.tsx';

interface Layout {
  readonly stretches: readonly Stretch[];
  readonly count: number;
}

interface RowProps {
  readonly isOpen: (batch: Batch) => boolean;
  readonly onToggle: (batch: Batch) => void;
  /** Null in the log, whose lines are no cards. */
  readonly selection: ReturnType<typeof useJobSelection> | null;
}

/** Headings and jobs in one long list; only visible rows are read and rendered. */
export function JobsList(
  props: RowProps & {
    readonly layout: Layout;
    /** The layout is not known yet. */
    readonly isReading: boolean;
    /** Reads what the layout is made of. */
    readonly query: ReturnType<typeof useBatches>['query'];
    readonly onEnd: () => void;
    readonly empty: ReactNode;
  },
) {
  const { t } = useTranslation();
  const { layout, selection, query, onEnd } = props;
  const { pages, setSpan } = useVisibleJobs(layout, selection?.update);
  const onRange = useCallback(
    (first: number, last: number) => {
      setSpan({ first, last });
      if (last >= layout.count - 1) onEnd();
    },
    [layout.count, onEnd, setSpan],
  );
  const indexes = useMemo(() => ({ length: layout.count, at: (index: number) => index }), [layout.count]);
  const keyOf = useCallback(
    (index: number) => {
      const stretch = stretchAt(layout.stretches, index);
      return stretch ? `${stretch.key}/${index - stretch.start}` : String(index);
    },
    [layout.stretches],
  );
  const list = {
    total: props.isReading ? null : layout.count,
    failure: query.error?.failure ?? pages.failure,
    again: () => {
      void query.refetch();
      pages.readAgain();
    },
  };
  return (
    <ListBody list={list} subject={query.error ? t('jobs.failedHeading') : undefined} empty={props.empty}>
      <VirtualList
        label={t('jobs.list')}
        items={indexes}
        rowHeight={selection ? 96 : 41}
        gap={selection ? 8 : 0}
        className={selection ? css.cards : undefined}
        keyOf={keyOf}
        onRange={onRange}
      >
        {(index) => <Row {...props} stretch={stretchAt(layout.stretches, index)} index={index} jobAt={pages.at} />}
      </VirtualList>
    </ListBody>
  );
}

/** Reads the visible jobs and passes each of their changes to the selection. */
function useVisibleJobs(layout: Layout, onJobs: ((jobs: readonly Job[]) => void) | undefined) {
  const [span, setSpan] = useState<Span>({ first: 0, last: 20 });
  const lists = visibleLists(layout.stretches, span);
  const pages = usePages<Job>(lists);
  const shown = lists.flatMap(({ list, span: at }) =>
    Array.from({ length: at.last - at.first + 1 }, (_one, index) => pages.at(list, at.first + index)),
  );
  const jobs = shown.filter((job) => job !== undefined);
  // The effect must not run at every rendering: the visible jobs are the same while these values are.
  const key = jobs.map((job) => `${job.id} ${job.at} ${job.state} ${job.look?.askedAt}`).join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => onJobs?.(jobs), [onJobs, key]);
  return { pages, setSpan };
}

function Row(
  props: RowProps & {
    readonly stretch: Stretch | undefined;
    readonly index: number;
    readonly jobAt: (list: PagedList<Job>, index: number) => Job | undefined;
  },
) {
  const { stretch, selection } = props;
  const { t } = useTranslation();
  if (!stretch) return null;
  if (stretch.kind === 'doubt')
    return (
      <div className={css.doubtHead}>
        <h2 className={looks.title}>{t('jobs.needsYou')}</h2>
        <p>{t('jobs.doubtText')}</p>
      </div>
    );
  if (stretch.kind === 'batch') {
    const { batch } = stretch;
    const Head = selection ? BatchHead : LogHead;
    return <Head batch={batch} isOpen={props.isOpen(batch)} onToggle={() => props.onToggle(batch)} />;
  }
  const job = props.jobAt(stretch.list, props.index - stretch.start);
  if (!job) return <div className={css.unread}>{t('jobs.loading')}</div>;
  if (!selection) return <LogLine job={job} isUnderHead={stretch.isUnderHead} isSent={stretch.isSent} />;
  return (
    <JobCard
      job={job}
      isInBatch={stretch.isUnderHead}
      isUniform={stretch.isUniform}
      isSelected={selection.jobs.has(job.id)}
      onSelect={selection.select}
    />
  );
}
