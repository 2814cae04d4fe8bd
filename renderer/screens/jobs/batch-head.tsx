import type { TFunction } from 'i18next';
import { ChevronRight } from 'lucide-react';
import { Button as PlainButton } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import type { CallInput } from '../../../contract/index.ts';
import type { Batch, JobState } from '../../../contract/jobs.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useConnection, useCurrentConnection } from '../../bridge/live.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { useForbidden } from '../../bridge/use-policy.ts';
import { CallButton } from '../../features/call-button.tsx';
import { endedStates, waitingOf } from '../../features/jobs/jobs-view.ts';
import { CancelWaiting, RetryFailed } from '../../features/jobs/queue-actions.tsx';
import { doneWord } from '../../features/jobs/repeats.tsx';
import { CountdownActions, useCountdownOf, useStopped } from '../../features/jobs/take-back.tsx';
import { useSaveMenu } from '../../features/list/list-screen.tsx';
import { Chip } from '../../parts/chip.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { useFormat, visibleName } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { MiddleCut } from '../../parts/middle-cut.tsx';
import { MenuButton } from '../../parts/overlays/menu-button.tsx';
import { Progress } from '../../parts/progress.tsx';
import { correctedTone, heldTone, jobTones, statesByNeed } from '../../parts/status-chip.tsx';
import { DismissSettled } from './dismiss.tsx';
import css from './jobs.module.css';
import { type Filter, statesOf } from './jobs-queries.ts';
import { settledOf, sizesOf, sumOf, totalOf } from './jobs-rows.ts';
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
  const counted = useCountdownOf(batch.batchId);
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
        {counted.length > 0 ? <Chip {...heldTone}>{counted.join(' · ')}</Chip> : null}
        {batchParts(t, batch).map(({ key, tone, count, word }) => (
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
  const stopped = useStopped(batchId);
  const held = waitingOf(props.batch) + counts.prepared;
  return (
    <div className={css.actions}>
      {pausedCount + held > 0 ? (
        <CallButton
          kind="quiet"
          call={pausedCount > 0 ? 'jobs.resume' : 'jobs.pause'}
          input={{ what: 'batch', batchId }}
        >
          {t(pausedCount > 0 ? 'jobs.resume' : 'jobs.pause')}
        </CallButton>
      ) : null}
      {stopped ? <CountdownActions countdown={stopped} /> : null}
      <CancelWaiting where={{ batchId }} count={held} />
      <SendWithoutTeam batchId={batchId} connectionId={props.batch.connectionId} count={held} />
      <RetryFailed batch={props.batch} count={counts.failed} />
      <DismissSettled batchId={batchId} count={settledOf(counts)} isAll={settledOf(counts) === totalOf(counts)} />
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

const perRead = 500;

/** For the documents that one batch registered or sent: copy their IDs, save as a list what is shown of it. */
export function BatchDocuments(props: { readonly batch: Batch; readonly filter: Filter | null }) {
  const { batchId, counts, operation } = props.batch;
  const { t } = useTranslation();
  const read = useCall('jobs.read');

  /** One ID a line, in the order of the batch; null if they cannot be read. */
  async function documentIds(): Promise<string | null> {
    const ids: string[] = [];
    for (let offset = 0; ; offset += perRead) {
      const page = await read.run({ batchId, offset, limit: perRead });
      if (!page.ok) return null;
      for (const { documentId, isDismissed } of page.value) if (documentId && !isDismissed) ids.push(documentId);
      if (page.value.length < perRead) return ids.join('\n');
    }
  }

  // A note becomes no document.
  if (operation === 'AddQuickNote' || counts.done === 0) return null;
  return (
    <section className={`${looks.line} ${looks.small}`} aria-label={t('jobs.batchDocuments')}>
      <CopyButton text={documentIds} label={t('jobs.copyIds')} />
      <SaveLog batchId={batchId} {...(props.filter && statesOf(props.filter))} />
      {read.failure ? <FailureView failure={read.failure} /> : null}
    </section>
  );
}

/** Saves what was sent as a list: one batch, or what is shown. */
export function SaveLog(which: Omit<CallInput<'documents.saveBatch'>, 'format' | 'language'>) {
  const { t } = useTranslation();
  const { run, busy, failure } = useCall('documents.saveBatch');
  const unavailable = useForbidden('documents.saveBatch');
  const { saved, menu } = useSaveMenu(['xlsx', 'csv', 'pdf'], (how) => run({ ...which, ...how }));
  return (
    <>
      <MenuButton label={t('jobs.saveList')} isPending={busy} unavailable={unavailable} {...menu} />
      <span role="status">{saved}</span>
      {failure ? <FailureView failure={failure} /> : null}
    </>
  );
}

/** How many jobs of a batch are in which state. */
export function batchParts(t: TFunction, batch: Batch) {
  const parts = partsOf(t, sizesOf(batch), (state) => doneWord(t, state, batch.operation));
  return parts.filter(({ count }) => count > 0);
}

/** How many jobs are in which state, what needs a person first: also what would wait for ever. */
export function partsOf(t: TFunction, sizes: ReturnType<typeof sizesOf>, wordOf: (state: JobState) => string) {
  const [asking, stopped] = [sizes.asking, sizes.stopped];
  const parts = [
    { key: 'asking', tone: heldTone, word: t(asking === 1 ? 'jobs.pausedBy.duplicate' : 'jobs.asking') },
    { key: 'stopped', tone: heldTone, word: t(stopped === 1 ? 'jobs.pausedBy.countdown-stopped' : 'jobs.stopped') },
    ...statesByNeed.map((key) => ({ key, tone: jobTones[key], word: wordOf(key) })),
    { key: 'corrected', tone: correctedTone, word: t('jobs.corrected') },
  ] as const;
  return parts.map((part) => ({ ...part, count: sizes[part.key] }));
}
