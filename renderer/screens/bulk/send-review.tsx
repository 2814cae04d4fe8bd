import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Bulk, BulkReview, BulkText } from '../../../contract/bulk.ts';
import { askValue } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useConnection } from '../../bridge/live.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { useOtherConnection } from '../../features/connection-state.tsx';
import { Checkbox } from '../../parts/checkbox.tsx';
import { Chip } from '../../parts/chip.tsx';
import { WholeNumberField } from '../../parts/field.tsx';
import { useFormat } from '../../parts/format.ts';
import { Confirm } from '../../parts/overlays/dialog.tsx';
import { Facts } from '../../parts/page.tsx';
import { visibleName } from '../../parts/visible-name.ts';

/** Whom sending e-mails, with which words and at what cost, before it is confirmed. */
export function SendReview(props: {
  readonly bulk: Bulk;
  readonly rows: 'first' | 'all';
  readonly onClose: () => void;
}) {
  const { bulk, rows, onClose } = props;
  const { id, counts } = bulk;
  const { t } = useTranslation();
  const format = useFormat();
  const [perMinute, setPerMinute] = useState(bulk.perMinute);
  const [includeWarnings, setWarnings] = useState(bulk.includeWarnings || counts.ready === 0);
  const send = useCall('bulk.send');
  const review = useQuery({
    queryKey: ['bulk-review', id, rows, includeWarnings],
    queryFn: () => askValue('bulk.review', { id, rows, includeWarnings }),
    gcTime: 0,
  });
  const count = review.data?.requests ?? (rows === 'first' ? 1 : counts.ready);

  async function sendNow() {
    if (!review.data) return;
    const sent = await send.run({ id, rows, perMinute, includeWarnings });
    if (sent.ok) onClose();
  }

  return (
    <Confirm
      title={t('bulk.confirmAll', { count, shown: format.number(count) })}
      confirm={t('bulk.confirm', { count, shown: format.number(count) })}
      busy={send.busy || !review.data}
      onConfirm={() => void sendNow()}
      onClose={onClose}
    >
      {review.data ? <ReviewFacts bulk={bulk} review={review.data} /> : null}
      {review.error ? <FailureView failure={review.error.failure} /> : null}
      {counts.withWarnings > 0 && counts.ready > 0 ? (
        <Checkbox isSelected={includeWarnings} onChange={setWarnings}>
          {t('bulk.includeWarnings', { count: counts.withWarnings, shown: format.number(counts.withWarnings) })}
        </Checkbox>
      ) : null}
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

function ReviewFacts(props: { readonly bulk: Bulk; readonly review: BulkReview }) {
  const { bulk, review } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const isPractice = useConnection(bulk.connectionId)?.kind === 'practice';
  const otherConnection = useOtherConnection(bulk.connectionId);
  const more = review.people - review.first.length;
  const people = [
    ...review.first,
    ...(more > 0 ? [t('bulk.morePeople', { count: more, shown: format.number(more) })] : []),
  ];
  const mailed = [
    t('bulk.mails', { count: review.people, shown: format.number(review.people), names: format.list(people) }),
    ...(review.ownerSigns ? [t('compose.you')] : []),
    ...(review.copies > 0 ? [t('compose.copies', { count: review.copies })] : []),
  ];
  const costs = [
    t('bulk.cost', { count: review.requests, shown: format.number(review.requests) }),
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
          [t('compose.costs'), format.list(costs)],
          [t('compose.sentTo'), otherConnection],
          [t('compose.cannotUndo'), t('compose.cannotUndoText')],
        ]}
      />
      {review.unnamed > 0 ? (
        <p>
          <Chip tone="remark">
            {t('bulk.unnamed', { count: review.unnamed, shown: format.number(review.unnamed) })}
          </Chip>
        </p>
      ) : null}
      {isPractice ? <p>{t('compose.practice')}</p> : null}
    </>
  );
}

/** What people are asked to sign: requests cannot be cancelled. */
function documentFact(t: TFunction, { kind }: Bulk, { document }: BulkReview): [string, string] {
  const isTemplate = kind === 'easy-sign-template';
  if (document.varies) return [t(isTemplate ? 'bulk.templates' : 'bulk.documents'), t('bulk.fromTable')];
  return isTemplate ? [t('compose.template'), document.text] : [t('compose.document'), visibleName(document.text)];
}
