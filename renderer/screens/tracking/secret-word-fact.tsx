import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TrackedEntry } from '../../../contract/tracking.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { Button } from '../../parts/button.tsx';
import looks from '../../parts/looks.module.css';
import css from './signatures.module.css';

/** The secret word is hidden until a person wants to read it, and hidden again when the panel is closed. */
export function SecretWordFact(props: { readonly connectionId: string; readonly entry: TrackedEntry }) {
  const { t } = useTranslation();
  const reveal = useCall('tracking.revealSecretWord');
  const [word, setWord] = useState<string | null>(null);
  const [lost, setLost] = useState(props.entry.secretWordLost);

  async function show() {
    const revealed = await reveal.run({ connectionId: props.connectionId, entryId: props.entry.id });
    if (!revealed.ok) return;
    setWord(revealed.value.secretWord);
    setLost(revealed.value.secretWord === null);
  }

  if (lost) return <span title={t('tracking.secretLostText')}>{t('tracking.secretLost')}</span>;
  return (
    <span className={looks.line}>
      <span className={css.secret}>{word ?? '••••••'}</span>
      {word === null ? (
        <Button kind="quiet" isPending={reveal.busy} onPress={() => void show()}>
          {t('tracking.show')}
        </Button>
      ) : (
        <Button kind="quiet" onPress={() => setWord(null)}>
          {t('tracking.hide')}
        </Button>
      )}
      {reveal.failure ? <FailureView failure={reveal.failure} /> : null}
    </span>
  );
}
