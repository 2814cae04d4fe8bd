import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Bulk } from '../../../contract/bulk.ts';
import { languageFor } from '../../../locales/choose-language.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useConnection } from '../../bridge/live.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { Button } from '../../parts/button.tsx';
import { Checkbox } from '../../parts/checkbox.tsx';
import { Chip } from '../../parts/chip.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { WholeNumberField } from '../../parts/field.tsx';
import { useFormat } from '../../parts/format.ts';
import { Card, Facts } from '../../parts/page.tsx';
import { Progress } from '../../parts/progress.tsx';
import css from './bulk.module.css';
import { BulkRows } from './bulk-rows.tsx';

/** Every row with its problems or its answer, and the controls for sending, pausing and resuming. */
export function BulkView(props: { readonly bulk: Bulk }) {
  const { bulk } = props;
  return (
    <div className={css.view}>
      <div className={css.main}>
        <Columns bulk={bulk} />
        <BulkRows bulk={bulk} />
      </div>
      <div className={css.side}>
        <Sending bulk={bulk} />
        <Results bulk={bulk} />
      </div>
    </div>
  );
}

function Columns(props: { readonly bulk: Bulk }) {
  const { t } = useTranslation();
  const { columns } = props.bulk;
  const strange = columns.filter((one) => one.column === null).map((one) => one.heading);
  return (
    <div className={css.columns}>
      <span className={css.hint}>{t('bulk.columnsTitle')}</span>
      {columns.map(({ heading, column }) =>
        column ? (
          <Chip key={heading} tone="confirmed">
            {t('bulk.understood', { heading, column: t(`bulk.column.${column}`) })}
          </Chip>
        ) : null,
      )}
      {strange.length > 0 ? (
        <p className={css.hint}>{t('bulk.notUnderstood', { headings: strange.join(', ') })}</p>
      ) : null}
    </div>
  );
}

function Sending(props: { readonly bulk: Bulk }) {
  const { bulk } = props;
  const { counts } = bulk;
  const { t } = useTranslation();
  const format = useFormat();
  const pause = useCall('bulk.pause');
  const ended = counts.done + counts.refused + counts.failed + counts.inDoubt;
  const shown = (['ready', 'withErrors', 'withWarnings', 'queued', 'done', 'refused', 'failed', 'inDoubt'] as const)
    .filter((key) => counts[key] > 0)
    .map((key) => [t(`bulk.counts.${key}`), format.number(counts[key])] as const);
  return (
    <Card title={t(`bulk.bulkState.${bulk.state}`)}>
      <Facts facts={shown} />
      {counts.queued > 0 ? <Progress label={t('bulk.progress')} done={ended} total={counts.queued} /> : null}
      {bulk.state === 'sending' ? (
        <Button isPending={pause.busy} onPress={() => void pause.run({ id: bulk.id })}>
          {t('bulk.pause')}
        </Button>
      ) : null}
      <SendRows bulk={bulk} />
      {pause.failure ? <FailureView failure={pause.failure} /> : null}
    </Card>
  );
}

/** The choices for sending: speed, with or without warnings, the first row or all; each is confirmed first. */
function SendRows(props: { readonly bulk: Bulk }) {
  const { bulk } = props;
  const { counts } = bulk;
  const { t } = useTranslation();
  const [perMinute, setPerMinute] = useState(bulk.perMinute || 60);
  const [includeWarnings, setWarnings] = useState(bulk.includeWarnings);
  const [asking, setAsking] = useState<'first' | 'all' | null>(null);
  const send = useCall('bulk.send');
  const left = counts.ready + (includeWarnings ? counts.withWarnings : 0);

  async function sendNow() {
    if (!asking) return;
    await send.run({ id: bulk.id, rows: asking, perMinute, includeWarnings });
    setAsking(null);
  }

  return (
    <>
      {bulk.state !== 'sending' && (left > 0 || counts.withWarnings > 0) ? (
        <>
          <WholeNumberField
            label={t('bulk.perMinute')}
            value={perMinute}
            onChange={(value) => setPerMinute(Number.isNaN(value) ? 60 : value)}
            min={1}
            max={6000}
          />
          {counts.withWarnings > 0 ? (
            <Checkbox isSelected={includeWarnings} onChange={setWarnings}>
              {t('bulk.includeWarnings')}
            </Checkbox>
          ) : null}
          <Button kind="primary" isDisabled={left === 0} onPress={() => setAsking('first')}>
            {t('bulk.sendFirst')}
          </Button>
          <Button isDisabled={left === 0} onPress={() => setAsking('all')}>
            {bulk.state === 'paused' ? t('bulk.resume') : t('bulk.sendAll', { count: left })}
          </Button>
        </>
      ) : null}
      {send.failure ? <FailureView failure={send.failure} /> : null}
      {asking ? (
        <ConfirmSend
          connectionId={bulk.connectionId}
          isFirst={asking === 'first'}
          count={asking === 'first' ? 1 : left}
          busy={send.busy}
          onConfirm={() => void sendNow()}
          onClose={() => setAsking(null)}
        />
      ) : null}
    </>
  );
}

function ConfirmSend(props: {
  readonly connectionId: string;
  readonly isFirst: boolean;
  readonly count: number;
  readonly busy: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}) {
  const { count } = props;
  const { t } = useTranslation();
  const connection = useConnection(props.connectionId);
  return (
    <Confirm
      title={props.isFirst ? t('bulk.confirmFirst') : t('bulk.confirmAll', { count })}
      confirm={t('bulk.confirm', { count })}
      busy={props.busy}
      onConfirm={props.onConfirm}
      onClose={props.onClose}
    >
      <p>{t('bulk.confirmText', { count, connection: connection?.name ?? t('documents.gone') })}</p>
      {connection?.kind === 'practice' ? <p>{t('compose.practice')}</p> : null}
    </Confirm>
  );
}

function Results(props: { readonly bulk: Bulk }) {
  const { t, i18n } = useTranslation();
  const save = useCall('bulk.saveResults');
  const [saved, setSaved] = useState<string | null>(null);
  async function saveNow(format: 'csv' | 'xlsx') {
    const done = await save.run({ id: props.bulk.id, format, language: languageFor(i18n.language, []) });
    if (done.ok && done.value) setSaved(t('bulk.sampleSaved', { name: done.value.fileName }));
  }
  return (
    <Card title={t('bulk.results')}>
      <p className={css.hint}>{t('bulk.resultsText')}</p>
      <div className={css.row}>
        <Button onPress={() => void saveNow('xlsx')}>{t('bulk.saveXlsx')}</Button>
        <Button onPress={() => void saveNow('csv')}>{t('bulk.saveCsv')}</Button>
      </div>
      {saved ? <p role="status">{saved}</p> : null}
      {save.failure ? <FailureView failure={save.failure} /> : null}
    </Card>
  );
}
