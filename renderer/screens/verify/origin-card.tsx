import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EarlierAnswer, EarlierRevision } from '../../../contract/verify-result.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { Button } from '../../parts/button.tsx';
import { CopyId } from '../../parts/copy.tsx';
import { useFormat } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { Card, Facts } from '../../parts/page.tsx';
import { visibleName } from '../../parts/visible-name.ts';
import { OpenDocument } from './history-known-here.tsx';
import { originText, verdictHeading } from './result-texts.ts';

/** The file that this one was before something was added, as far as it is known here. */
export function OriginCard(props: {
  readonly runId: string;
  readonly index: number;
  readonly origin: EarlierRevision;
  /** False where no service is asked. */
  readonly isAskable: boolean;
}) {
  const { runId, index, origin } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const save = useCall('verify.saveEarlier');
  const ask = useCall('verify.askEarlier');
  const [saved, setSaved] = useState<string | null>(null);
  const [answered, setAnswered] = useState<EarlierAnswer | null>(null);
  return (
    <Card title={originText(t, format, origin)}>
      <p>{t('own.originNote')}</p>
      <Facts
        facts={[
          [t('verify.size'), format.bytes(origin.sizeBytes)],
          [t('verify.sha256'), <CopyId key="sha" id={origin.sha256} what={t('verify.sha256')} />],
        ]}
      />
      {origin.registered ? <OpenDocument known={origin.registered} /> : null}
      <div className={looks.line}>
        <Button
          isPending={save.busy}
          onPress={() => void save.run({ runId, index }).then((end) => (end.ok ? setSaved(end.value) : undefined))}
        >
          {t('own.earlier.save')}
        </Button>
        {props.isAskable ? (
          <Button
            isPending={ask.busy}
            onPress={() => void ask.run({ runId, index }).then((end) => (end.ok ? setAnswered(end.value) : undefined))}
          >
            {t('own.earlier.ask')}
          </Button>
        ) : null}
      </div>
      {props.isAskable ? <p className={looks.hint}>{t('own.earlier.askNote')}</p> : null}
      <div role="status">
        {saved ? <p>{t('own.earlier.saved', { name: visibleName(saved) })}</p> : null}
        {answered ? (
          <p>
            {t('own.earlier.answered', {
              answer: verdictHeading(t, {
                group: answered.answer.group,
                finding: answered.finding,
                qualification: null,
              }),
            })}
          </p>
        ) : null}
      </div>
      {save.failure ? <FailureView failure={save.failure} /> : null}
      {ask.failure ? <FailureView failure={ask.failure} /> : null}
    </Card>
  );
}
