import { X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { VerifyResult } from '../../../contract/verify.ts';
import { codeText } from '../../bridge/failure-text.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { Button, IconButton } from '../../parts/button.tsx';
import { Chip } from '../../parts/chip.tsx';
import { CopyId } from '../../parts/copy.tsx';
import { useFormat } from '../../parts/format.ts';
import { useGo } from '../../parts/navigation.tsx';
import { onEscape } from '../../parts/on-escape.ts';
import { Facts } from '../../parts/page.tsx';
import panel from '../../parts/panel.module.css';
import { headingOf } from './verdict-card.tsx';
import { verdictTones } from './verdict-tones.ts';

/** Everything about one file: what the service says and, kept apart, what this computer knows. */
export function ResultPanel(props: {
  readonly result: VerifyResult;
  readonly connection: string;
  readonly onClose: () => void;
}) {
  const { result } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const group = result.answer?.group ?? 'no-answer';
  return (
    <aside className={panel.panel} aria-label={t('verify.panel')} onKeyDown={onEscape(props.onClose)}>
      <div className={panel.head}>
        <h2>{result.name}</h2>
        <IconButton label={t('documents.closePanel')} icon={<X aria-hidden="true" />} onPress={props.onClose} />
      </div>
      <p className={panel.chipLine}>
        <Chip tone={verdictTones[group]}>{headingOf(t, result)}</Chip>
      </p>
      <h3>{t('verify.serviceSays')}</h3>
      <Facts
        facts={[
          [
            t('verify.answer'),
            result.raw === null ? t('common.noAnswerText') : t('common.quote', { text: result.raw }),
          ],
          [t('verify.meaning'), result.answer?.meaning || null],
          [t('verify.code'), result.answer?.code ? codeText(t, result.answer.code) : null],
          [t('verify.connection'), props.connection],
          [t('verify.askedAt'), result.askedAt ? format.fullMoment(result.askedAt) : null],
        ]}
      />
      {result.failure ? <FailureView failure={result.failure} subject={result.name} calm /> : null}
      <h3>{t('verify.computerKnows')}</h3>
      <Known result={result} />
      <h3>{t('verify.file')}</h3>
      <Facts
        facts={[
          [t('verify.folder'), result.folder || null],
          [t('verify.size'), format.bytes(result.sizeBytes)],
          [
            t('verify.sha256'),
            result.sha256 ? <CopyId key="sha" id={result.sha256} what={t('verify.sha256')} /> : null,
          ],
        ]}
      />
    </aside>
  );
}

function Known(props: { readonly result: VerifyResult }) {
  const { t } = useTranslation();
  const format = useFormat();
  const go = useGo();
  const known = props.result.knownHere;
  if (!known) return <p>{t('verify.nothingKnown')}</p>;
  return (
    <>
      <Facts
        facts={[
          [t('verify.registeredName'), known.name],
          [t('verify.reference'), known.clientId || null],
          [t('verify.registeredAt'), format.fullMoment(known.registeredAt)],
          [t('verify.documentId'), <CopyId key="id" id={known.documentId} what={t('verify.documentId')} />],
        ]}
      />
      <div>
        <Button onPress={() => go({ screen: 'documents', search: known.documentId })}>
          {t('verify.openDocument')}
        </Button>
      </div>
    </>
  );
}
