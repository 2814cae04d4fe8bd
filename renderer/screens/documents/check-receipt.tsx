import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FileToken } from '../../../contract/files.ts';
import type { ReceiptCheck } from '../../../contract/receipts.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall, useChooseFile } from '../../bridge/use-call.ts';
import { Button } from '../../parts/button.tsx';
import { Chip } from '../../parts/chip.tsx';
import { useFormat } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { MiddleCut } from '../../parts/middle-cut.tsx';
import { Dialog } from '../../parts/overlays/dialog.tsx';
import { Facts } from '../../parts/page.tsx';
import css from './documents.module.css';

/** Compares a file with a receipt, without the service. */
export function CheckReceipt(props: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const [receipt, setReceipt] = useState<FileToken | null>(null);
  const [file, setFile] = useState<FileToken | null>(null);
  const [result, setResult] = useState<ReceiptCheck | null>(null);
  const check = useCall('receipts.check');

  async function compare() {
    if (!receipt || !file) return;
    const checked = await check.run({ receiptToken: receipt.token, fileToken: file.token });
    setResult(checked.ok ? checked.value : null);
  }

  return (
    <Dialog
      title={t('receipts.checkTitle')}
      onClose={props.onClose}
      wide
      actions={
        <>
          <Button onPress={props.onClose}>{t('common.close')}</Button>
          <Button kind="primary" isDisabled={!receipt || !file} isPending={check.busy} onPress={() => void compare()}>
            {t('receipts.compare')}
          </Button>
        </>
      }
    >
      <p>{t('receipts.checkText')}</p>
      <PickFile label={t('receipts.receiptFile')} file={receipt} onPick={setReceipt} />
      <PickFile label={t('receipts.documentFile')} file={file} onPick={setFile} />
      {check.failure ? <FailureView failure={check.failure} /> : null}
      {result ? <Result check={result} /> : null}
    </Dialog>
  );
}

function PickFile(props: {
  readonly label: string;
  readonly file: FileToken | null;
  readonly onPick: (file: FileToken) => void;
}) {
  const { t } = useTranslation();
  const choose = useChooseFile('any');
  return (
    <div className={looks.withActions}>
      <div>
        <small>{props.label}</small>
        {props.file ? <MiddleCut text={props.file.name} /> : t('receipts.noFile')}
      </div>
      <Button
        aria-label={`${props.label}: ${t('receipts.choose')}`}
        isPending={choose.busy}
        onPress={() => void choose.choose().then((chosen) => (chosen ? props.onPick(chosen) : undefined))}
      >
        {t('receipts.choose')}
      </Button>
      {choose.failure ? <FailureView failure={choose.failure} /> : null}
    </div>
  );
}

const verdicts = {
  same: { tone: 'confirmed', heading: 'receipts.same', text: 'receipts.sameText' },
  different: { tone: 'refused', heading: 'receipts.different', text: 'receipts.differentText' },
  'no-hash': { tone: 'unclear', heading: 'receipts.noHash', text: 'receipts.noHashText' },
} as const;

function Result(props: { readonly check: ReceiptCheck }) {
  const { check } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const { receipt } = check;
  const { file, connection } = receipt;
  const verdict = verdicts[check.result];
  const size = (bytes: number | null) => (bytes === null ? '—' : format.bytes(bytes));
  return (
    <div className={css.verdict} role="status">
      <p>
        <Chip tone={verdict.tone}>{t(verdict.heading)}</Chip>
      </p>
      <p>{t(verdict.text)}</p>
      {check.isIntact ? (
        <p>{t('receipts.intact')}</p>
      ) : (
        <p>
          <Chip tone="remark">{t('receipts.notIntact')}</Chip>
        </p>
      )}
      <Facts
        facts={[
          [t('receipts.field.receiptSays'), `${file.name ?? '—'}, ${size(file.sizeBytes)}, ${file.sha256 ?? '—'}`],
          [t('receipts.field.fileIs'), `${check.fileName}, ${size(check.sizeBytes)}, ${check.sha256}`],
          [t('receipts.field.document'), receipt.document.id],
          [t('receipts.field.sent'), receipt.times.departed ? format.fullMoment(receipt.times.departed) : null],
          [t('receipts.field.answered'), receipt.times.answered ? format.fullMoment(receipt.times.answered) : null],
          [t('receipts.field.answer'), receipt.answer.raw ? t('common.quote', { text: receipt.answer.raw }) : null],
          [t('receipts.field.connection'), connection ? `${connection.name}, ${connection.address}` : null],
          [t('receipts.field.certificate'), connection?.certificateFingerprint ?? null],
        ]}
      />
      {receipt.answer.isAcceptedByPerson ? <p>{t('receipts.field.accepted')}</p> : null}
    </div>
  );
}
