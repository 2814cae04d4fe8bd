import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Bulk, BulkReview, BulkText } from '../../../contract/bulk.ts';
import { askValue } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useConnection } from '../../bridge/live.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { useForbidden } from '../../bridge/use-policy.ts';
import { useOtherConnection } from '../../features/connection-state.tsx';
import { isAsking, isSentBefore } from '../../features/jobs/bulks.ts';
import { useJobs } from '../../features/jobs/jobs.tsx';
import { CountdownActions } from '../../features/jobs/take-back.tsx';
import { useSaveMenu } from '../../features/list/list-screen.tsx';
import { Button } from '../../parts/button.tsx';
import { Checkbox } from '../../parts/checkbox.tsx';
import { Chip } from '../../parts/chip.tsx';
import { TextField, WholeNumberField } from '../../parts/field.tsx';
import { useFormat, visibleName } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { useGo } from '../../parts/navigation.tsx';
import { Confirm } from '../../parts/overlays/dialog.tsx';
import { MenuButton } from '../../parts/overlays/menu-button.tsx';
import { Facts } from '../../parts/page.tsx';
import { jobTones } from '../../parts/status-chip.tsx';
import css from './bulk.module.css';

type Step = 'mend' | 'first' | 'all' | 'pause' | 'decide';

/** What a person does next, then what else is possible. */
function stepsOf(bulk: Bulk): readonly Step[] {
  const { state, counts } = bulk;
  const left = counts.ready + counts.withWarnings;
  if (state === 'sending') return [isAsking(bulk) ? 'decide' : 'pause'];
  const mend: readonly Step[] = counts.withErrors > 0 ? ['mend'] : [];
  if (left === 0) return mend;
  if (isSentBefore(bulk)) return [...mend, 'all'];
  if (counts.queued > 0) return ['all', ...mend];
  return [...mend, 'all', ...(left > 1 ? (['first'] as const) : [])];
}

/** How many requests the question proposes to send. */
function proposedBy({ includeWarnings, counts: { ready, withWarnings } }: Bulk): number {
  return includeWarnings ? ready + withWarnings : ready || withWarnings;
}

/** The buttons of a checked spreadsheet: the first one is the next step. */
export function BulkActions(props: { readonly bulk: Bulk; readonly onMend: () => void }) {
  const { bulk } = props;
  const { counts } = bulk;
  const { t } = useTranslation();
  const format = useFormat();
  const [asking, setAsking] = useState<'first' | 'all' | null>(null);
  const go = useGo();
  const pause = useCall('bulk.pause');
  const results = useCall('bulk.saveResults');
  const unavailable = useForbidden('bulk.saveResults');
  const { saved, menu } = useSaveMenu(['xlsx', 'csv'], (how) => results.run({ id: bulk.id, ...how }));
  // Everything left would be sent a second time, or is doubtful otherwise: a person must want that.
  const isWarned = counts.ready === 0 && !bulk.includeWarnings;
  const failure = pause.failure ?? results.failure;
  const send = isWarned ? 'sendWarned' : counts.queued > 1 && bulk.state === 'paused' ? 'resume' : 'sendAll';
  const buttons: Record<Step, readonly [string, () => void]> = {
    mend: [t('bulk.mend', format.counted(counts.withErrors)), props.onMend],
    first: [t('bulk.sendFirst'), () => setAsking('first')],
    all: [t(`bulk.${send}`, format.counted(proposedBy(bulk))), () => setAsking('all')],
    pause: [t('bulk.pause'), () => void pause.run({ id: bulk.id })],
    decide: [t('start.decide'), () => go({ screen: 'jobs', batchId: bulk.batchId ?? '' })],
  };
  const stopped = useJobs().view.queue.countdowns.find(({ bulkId, isStopped }) => isStopped && bulkId === bulk.id);
  const steps = stopped ? [] : stepsOf(bulk);
  const isOver = !stopped && (steps.length === 0 || (steps[0] === 'all' && isSentBefore(bulk)));
  return (
    <div className={css.actions}>
      {/* Before the buttons, which stay where they are when it appears. */}
      <span role="status" className={looks.hint}>
        {saved}
      </span>
      {stopped ? <CountdownActions countdown={stopped} /> : null}
      {steps.map((step, index) => (
        <Button
          key={step}
          kind={
            isWarned && step === 'all' ? (isSentBefore(bulk) ? 'quiet' : 'plain') : index === 0 ? 'primary' : 'plain'
          }
          isPending={step === 'pause' && pause.busy}
          onPress={buttons[step][1]}
        >
          {buttons[step][0]}
        </Button>
      ))}
      {counts.queued + counts.withErrors + counts.withWarnings > 0 ? (
        <MenuButton
          label={t('bulk.save')}
          kind={isOver ? 'primary' : 'quiet'}
          isPending={results.busy}
          unavailable={unavailable}
          {...menu}
        />
      ) : null}
      {failure ? <FailureView failure={failure} /> : null}
      {asking ? <SendReview bulk={bulk} rows={asking} onClose={() => setAsking(null)} /> : null}
    </div>
  );
}

/** Whom sending e-mails, with which words and at what cost, before it is confirmed. */
function SendReview(props: { readonly bulk: Bulk; readonly rows: 'first' | 'all'; readonly onClose: () => void }) {
  const { bulk, rows, onClose } = props;
  const { id, counts } = bulk;
  const { t } = useTranslation();
  const format = useFormat();
  const [secretWord, setSecretWord] = useState('');
  const [perMinute, setPerMinute] = useState(bulk.perMinute);
  // The tick holds for the rows that were there when it was set.
  const rowsNow = [counts.withWarnings, counts.sentBefore, bulk.includeWarnings].join(' ');
  const [ticked, setTicked] = useState({ rows: rowsNow, isOn: bulk.includeWarnings });
  const isIncluding = ticked.rows === rowsNow ? ticked.isOn : bulk.includeWarnings;
  const send = useCall('bulk.send');
  // Where nothing else is left, the question names whom these would mail.
  const includeWarnings = isIncluding || counts.ready === 0;
  const review = useQuery({
    queryKey: ['bulk-review', id, rows, includeWarnings, rowsNow],
    queryFn: () => askValue('bulk.review', { id, rows, includeWarnings }),
    gcTime: 0,
  });
  const lost = review.data?.secretWords ?? null;
  const isWordMissing = lost !== null && (lost.lostInRows > 0 || (lost.lost > 0 && secretWord === ''));
  const count = review.data?.requests ?? (rows === 'first' ? 1 : proposedBy(bulk));

  async function sendNow() {
    if (!review.data) return;
    const sent = await send.run({ id, rows, perMinute, includeWarnings, ...(secretWord === '' ? {} : { secretWord }) });
    if (sent.ok) onClose();
  }

  return (
    <Confirm
      title={t('bulk.confirmAll', format.counted(count))}
      confirm={t('bulk.confirm', format.counted(count))}
      busy={send.busy || !review.data}
      isDisabled={includeWarnings !== isIncluding || isWordMissing}
      onConfirm={() => void sendNow()}
      onClose={onClose}
    >
      {review.data ? <ReviewFacts bulk={bulk} review={review.data} /> : null}
      {review.error ? <FailureView failure={review.error.failure} /> : null}
      {counts.withWarnings > 0 ? (
        <Checkbox isSelected={isIncluding} onChange={(isOn) => setTicked({ rows: rowsNow, isOn })}>
          {t('bulk.includeWarnings', format.counted(counts.withWarnings))}
        </Checkbox>
      ) : null}
      {review.data ? <SentBeforeRows rows={review.data.sentBefore} /> : null}
      <LostSecretWords lost={lost} word={secretWord} onWord={setSecretWord} />
      {rows === 'all' && count > 1 ? (
        <WholeNumberField
          label={t('bulk.perMinute')}
          value={perMinute}
          onChange={(value) => setPerMinute(Number.isNaN(value) ? 60 : value)}
          min={1}
          max={6000}
        />
      ) : null}
      {send.failure ? <FailureView failure={send.failure} /> : null}
    </Confirm>
  );
}

/** Access codes that were kept for a run that is over: that for all rows is entered here, those of rows in them. */
function LostSecretWords(props: {
  readonly lost: BulkReview['secretWords'];
  readonly word: string;
  readonly onWord: (word: string) => void;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const { lost, lostInRows } = props.lost ?? { lost: 0, lostInRows: 0 };
  return (
    <>
      {lostInRows > 0 ? (
        <p>
          <Chip tone="remark">{t('bulk.secretWordsLost', format.counted(lostInRows))}</Chip>
        </p>
      ) : null}
      {lost > lostInRows ? (
        <TextField
          label={t('bulk.secretWord')}
          type="password"
          value={props.word}
          onChange={props.onWord}
          help={t('jobs.secretWordHelp')}
          maxLength={200}
        />
      ) : null}
    </>
  );
}

/** What is known of rows that went before; of doubts, the way to decide them. */
function SentBeforeRows({ rows }: { readonly rows: BulkReview['sentBefore'] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const go = useGo();
  return (['already-sent', 'maybe-sent', 'being-sent'] as const)
    .filter((kind) => rows[kind] > 0)
    .map((kind) => (
      <div key={kind} className={looks.line3}>
        <Chip {...(kind === 'maybe-sent' ? jobTones['in-doubt'] : { tone: 'remark' })}>
          {t(`bulk.sentBefore.${kind}`, format.counted(rows[kind]))}
        </Chip>
        {kind === 'maybe-sent' ? (
          <Button onPress={() => go({ screen: 'jobs', filter: 'in-doubt' })}>{t('start.decide')}</Button>
        ) : null}
      </div>
    ));
}

function ReviewFacts(props: { readonly bulk: Bulk; readonly review: BulkReview }) {
  const { bulk, review } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const isPractice = useConnection(bulk.connectionId)?.kind === 'practice';
  const otherConnection = useOtherConnection(bulk.connectionId);
  const more = review.people - review.first.length;
  const people = [...review.first, ...(more > 0 ? [t('bulk.morePeople', format.counted(more))] : [])];
  const mailed = [
    t('bulk.mails', { count: review.people, shown: format.number(review.people), names: format.list(people) }),
    ...(review.ownerSigns ? [t('compose.you')] : []),
    ...(review.copies > 0 ? [t('compose.copies', { count: review.copies })] : []),
  ];
  const costs = [
    review.credit === null
      ? t('bulk.cost', format.counted(review.requests))
      : t('bulk.costCredits', { ...format.counted(review.requests), credit: review.credit }),
    review.prepaidCredits === null ? null : t('compose.costsPrepaid', { count: review.prepaidCredits }),
    review.idChecks > 0 ? t('compose.costsIdChecks', { count: review.idChecks }) : null,
  ].filter((one) => one !== null);
  const words = (text: BulkText) => (text.varies ? t('bulk.byRow') : text.text || t('compose.servicesOwn'));
  const isPlain = bulk.kind === 'plain';
  const isOwn = (text: BulkText) => !text.varies && text.text === '';
  const letter: readonly (readonly [string, string | null])[] =
    isOwn(review.subject) && isOwn(review.message)
      ? [[t('compose.letter'), isPlain ? null : t('compose.servicesOwn')]]
      : [
          [t('compose.subject'), isPlain ? null : words(review.subject)],
          [t('compose.message'), isPlain ? null : words(review.message)],
        ];
  return (
    <>
      <Facts
        facts={[
          [t('compose.mailsTo'), format.list(mailed)],
          documentFact(t, bulk, review),
          ...letter,
          [t('compose.secretWord'), secretWordsFact(t, format, review)],
          [
            t('compose.notSent'),
            review.notSent.length > 0 ? format.list(review.notSent.map((one) => t(`bulk.column.${one}`))) : null,
          ],
          [t('compose.costs'), format.list(costs)],
          [t('compose.sentTo'), otherConnection],
          [t('compose.cannotUndo'), t('compose.cannotUndoText')],
        ]}
      />
      {review.unnamed > 0 ? (
        <p>
          <Chip tone="remark">{t('bulk.unnamed', format.counted(review.unnamed))}</Chip>
        </p>
      ) : null}
      {isPractice ? <p>{t('compose.practice')}</p> : null}
    </>
  );
}

/** How many requests have an access code and how many none, where they can have one; those whose code is lost have none yet. */
function secretWordsFact(t: TFunction, format: ReturnType<typeof useFormat>, review: BulkReview): string | null {
  if (review.secretWords === null) return null;
  const { given } = review.secretWords;
  return t('bulk.secretWords', { given: format.number(given), none: format.number(review.requests - given) });
}

/** What people are asked to sign: requests cannot be cancelled. */
function documentFact(t: TFunction, { kind }: Bulk, { document }: BulkReview): [string, string] {
  const isTemplate = kind === 'easy-sign-template';
  if (document.varies) return [t(isTemplate ? 'bulk.templates' : 'bulk.documents'), t('bulk.fromTable')];
  return isTemplate ? [t('compose.template'), document.text] : [t('compose.file'), visibleName(document.text)];
}
