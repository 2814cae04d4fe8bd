import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Batch, Job } from '../../../contract/jobs.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { type Span, usePages } from '../../features/use-pages.ts';
import { Button } from '../../parts/button.tsx';
import { VirtualRows } from '../../parts/virtual-rows.tsx';
import { BatchHead } from './batch-head.tsx';
import { JobCard } from './job-card.tsx';
import css from './jobs.module.css';
import { type Stretch, stretchAt, wantedLists } from './jobs-rows.ts';
import type { useSelection } from './use-selection.ts';

/** Headings and jobs in one long list; only what is on show is read and drawn. */
export function ActivityList(props: {
  readonly laid: { readonly stretches: readonly Stretch[]; readonly count: number };
  readonly isOpen: (batch: Batch) => boolean;
  readonly onToggle: (batch: Batch) => void;
  readonly selection: ReturnType<typeof useSelection>;
  readonly onEnd: () => void;
  readonly className: string | undefined;
}) {
  const { t } = useTranslation();
  const { laid, selection, onEnd } = props;
  const [span, setSpan] = useState<Span>({ first: 0, last: 20 });
  const onShow = useCallback(
    (first: number, last: number) => {
      setSpan({ first, last });
      if (last >= laid.count - 1) onEnd();
    },
    [laid.count, onEnd],
  );
  // Another function means to the list that every row may be another one: it then measures them all.
  const keyOf = useCallback(
    (index: number) => {
      const stretch = stretchAt(laid.stretches, index);
      return stretch ? `${stretch.key}/${index - stretch.start}` : String(index);
    },
    [laid.stretches],
  );
  const wanted = wantedLists(laid.stretches, span);
  const pages = usePages<Job>(wanted);
  const shown = wanted.flatMap(({ list, span: at }) =>
    Array.from({ length: at.last - at.first + 1 }, (_one, index) => pages.at(list, at.first + index)),
  );
  const { meet } = selection;
  const seen = shown.filter((job) => job !== undefined);
  // Effects must not run for every drawing: what is on show is the same as long as these are.
  const seenKey = seen.map((job) => `${job.id} ${job.updatedAt} ${job.state}`).join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => meet(seen), [meet, seenKey]);

  function row(index: number) {
    const stretch = stretchAt(laid.stretches, index);
    if (!stretch) return null;
    if (stretch.kind === 'doubt')
      return (
        <div className={css.doubtHead}>
          <h2>{t('jobs.needsYou')}</h2>
          <p>{t('jobs.doubtText')}</p>
        </div>
      );
    if (stretch.kind === 'batch') {
      const { batch } = stretch;
      return <BatchHead batch={batch} isOpen={props.isOpen(batch)} onToggle={() => props.onToggle(batch)} />;
    }
    const job = pages.at(stretch.list, index - stretch.start);
    if (!job) return <div className={css.unread}>{t('jobs.loading')}</div>;
    return <JobCard job={job} isSelected={selection.jobs.has(job.id)} onSelect={selection.select} />;
  }

  return (
    <>
      {pages.failure ? (
        <FailureView failure={pages.failure}>
          <Button onPress={pages.readAgain}>{t('common.tryAgain')}</Button>
        </FailureView>
      ) : null}
      <VirtualRows
        label={t('jobs.list')}
        count={laid.count}
        rowHeight={96}
        gap={8}
        className={props.className}
        keyOf={keyOf}
        onShow={onShow}
      >
        {row}
      </VirtualRows>
    </>
  );
}
