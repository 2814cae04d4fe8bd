import { ChevronRight } from 'lucide-react';
import { Button as PlainButton } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import type { Batch } from '../../../contract/jobs.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useConnection, useCurrentConnection } from '../../bridge/live.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { endedStates } from '../../features/jobs/jobs-view.ts';
import { CancelWaiting, RetryFailed } from '../../features/jobs/queue-actions.tsx';
import { Button } from '../../parts/button.tsx';
import { Chip } from '../../parts/chip.tsx';
import { useFormat } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { MiddleCut } from '../../parts/middle-cut.tsx';
import { Progress } from '../../parts/progress.tsx';
import { visibleName } from '../../parts/visible-name.ts';
import { DismissSettled } from './dismiss-settled.tsx';
import { partsOf, settledOf, sumOf, totalOf } from './job-counts.ts';
import css from './jobs.module.css';
import { SendWithoutTeam } from './send-without-team.tsx';

/** The heading of one drop: its counts, which stay until they are dismissed, and actions for all of it. */
export function BatchHead(props: { readonly batch: Batch; readonly isOpen: boolean; readonly onToggle: () => void }) {
  const { batch } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const connection = useConnection(batch.connectionId);
  const current = useCurrentConnection();
  const total = totalOf(batch.counts);
  const ended = sumOf(batch.counts, endedStates);
  const name = visibleName(batch.title);
  const title = total > 1 ? t('jobs.batchMore', { title: name, count: total - 1 }) : name;
  return (
    <section className={css.batch} aria-label={title}>
      <BatchToggle title={title} isOpen={props.isOpen} onToggle={props.onToggle} />
      <div>
        <h2 className={`${looks.row} ${looks.title}`}>
          <MiddleCut text={title} isSentence name={name} />
        </h2>
        <p className={looks.hint}>
          {[
            // The top band names the one in use.
            connection?.id === current.id ? null : (connection?.name ?? t('documents.gone')),
            batch.totalBytes === 0 ? null : format.bytes(batch.totalBytes),
            format.momentInText(batch.createdAt),
            ended < total ? t('jobs.batchOf', { ended: format.number(ended), total: format.number(total) }) : null,
          ]
            .filter((part) => part !== null)
            .join(' · ')}
        </p>
        {ended < total && total > 1 ? (
          <div className={css.batchProgress}>
            <Progress label={t('jobs.batchProgress', { title })} done={ended} total={total} />
          </div>
        ) : null}
      </div>
      <p className={css.counts}>
        {partsOf(t, batch).map(({ key, tone, count, word }) => (
          <Chip key={key} {...tone}>
            {`${format.number(count)} ${word}`}
          </Chip>
        ))}
      </p>
      <BatchActions batch={batch} />
    </section>
  );
}

function BatchActions(props: { readonly batch: Batch }) {
  const { batchId, counts, pausedCount } = props.batch;
  const { t } = useTranslation();
  const pause = useCall('jobs.pause');
  const resume = useCall('jobs.resume');
  const held = counts.waiting + counts.prepared;
  const trouble = pause.failure ?? resume.failure;
  return (
    <div className={css.actions}>
      {pausedCount > 0 ? (
        <Button kind="quiet" isPending={resume.busy} onPress={() => void resume.run({ what: 'batch', batchId })}>
          {t('jobs.resume')}
        </Button>
      ) : null}
      {pausedCount === 0 && held > 0 ? (
        <Button kind="quiet" isPending={pause.busy} onPress={() => void pause.run({ what: 'batch', batchId })}>
          {t('jobs.pause')}
        </Button>
      ) : null}
      <CancelWaiting where={{ batchId }} count={held} />
      <SendWithoutTeam batchId={batchId} connectionId={props.batch.connectionId} count={held} />
      <RetryFailed batch={props.batch} count={counts.failed} />
      <DismissSettled batchId={batchId} count={settledOf(counts)} isAll={settledOf(counts) === totalOf(counts)} />
      {trouble ? <FailureView failure={trouble} /> : null}
    </div>
  );
}

/** Shows the jobs below the heading of a batch, or hides them. `title` is the batch's. */
export function BatchToggle(props: {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}) {
  const { title, isOpen } = props;
  const { t } = useTranslation();
  return (
    <PlainButton
      className={looks.tool ?? ''}
      aria-expanded={isOpen}
      aria-label={t(isOpen ? 'jobs.hideJobs' : 'jobs.showJobs', { title })}
      onPress={props.onToggle}
    >
      <ChevronRight aria-hidden="true" />
    </PlainButton>
  );
}
