import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { TrackedEntry, TrackedStatus } from '../../../contract/tracking.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCurrentConnection } from '../../bridge/live.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { meaningText } from '../../features/jobs/meaning-text.ts';
import { Button } from '../../parts/button.tsx';
import { useFormat } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import css from './signatures.module.css';
import { useWho } from './state-chips.tsx';

/** When a word was answered first and last, one after the other: the service was asked then. */
export const timesOf = ({ since, askedAt }: TrackedStatus): readonly string[] => [...new Set([since, askedAt])];

/** All statuses as they were answered, newest first, back to the day the entry appeared. */
export function EntryHistory(props: {
  readonly connectionId: string;
  readonly entry: TrackedEntry;
  readonly history: readonly TrackedStatus[];
}) {
  const { entry } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const client = useQueryClient();
  const ask = useCall('tracking.askStatus');
  return (
    <>
      <h3>{t('tracking.happened')}</h3>
      <ol className={css.history} aria-label={t('tracking.happened')}>
        {[
          ...props.history.flatMap((status) => timesOf(status).map((at) => ({ at, status }))),
          { at: entry.firstSeenAt, status: null },
        ]
          .sort((a, b) => Date.parse(b.at) - Date.parse(a.at))
          .map(({ at, status }) =>
            status ? (
              <StatusStep key={`${at} ${status.raw}`} status={status} at={at} />
            ) : (
              <SeenStep key="seen" entry={entry} />
            ),
          )}
        {entry.createdAt ? (
          <li title={format.fullMoment(entry.createdAt)}>
            {t('tracking.created', { time: format.moment(entry.createdAt) })}
          </li>
        ) : null}
      </ol>
      {entry.documentId ? (
        <div>
          <Button
            isPending={ask.busy}
            onPress={() =>
              void ask
                .run({ connectionId: props.connectionId, entryId: entry.id })
                .then(() => client.invalidateQueries({ queryKey: ['tracked', props.connectionId] }))
            }
          >
            {t('documents.askStatus')}
          </Button>
        </div>
      ) : null}
      {ask.failure ? <FailureView failure={ask.failure} calm /> : null}
    </>
  );
}

function StatusStep(props: { readonly status: TrackedStatus; readonly at: string }) {
  const { status, at } = props;
  // While signatures are missing, the service always works on the document: that would contradict a signer who waits.
  const saysMore = status.answer.group !== 'in-progress';
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <li title={format.fullMoment(at)}>
      {t('tracking.statusSince', {
        time: format.moment(at),
        word: status.raw === null ? t('common.noAnswerText') : t('common.quote', { text: status.raw }),
      })}
      {saysMore && status.answer.meaning ? <span className={looks.hint}> {meaningText(t, status.answer)}</span> : null}
    </li>
  );
}

/** When the entry was first seen in its list, and what that means. */
function SeenStep(props: { readonly entry: TrackedEntry }) {
  const { entry } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const connection = useCurrentConnection();
  const who = useWho();
  const isSignature = entry.signedAt !== null;
  const from = connection.lists.find((list) => list.value === entry.movedFrom)?.name ?? String(entry.movedFrom);
  return (
    <>
      <li title={format.fullMoment(entry.firstSeenAt)}>
        {isSignature
          ? t('tracking.signedAt', { time: format.moment(entry.firstSeenAt), who: who(entry) })
          : t('tracking.firstSeen', { time: format.moment(entry.firstSeenAt) })}
      </li>
      {entry.movedFrom !== null && !isSignature ? <li>{t('tracking.movedFrom', { list: from })}</li> : null}
    </>
  );
}
