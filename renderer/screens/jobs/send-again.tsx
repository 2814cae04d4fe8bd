import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Job, SentAgain } from '../../../contract/jobs.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { AgainConsequences, isPartial, SentAgainResult, useAgainPreview } from '../../features/jobs/repeats.tsx';
import { TextField } from '../../parts/field.tsx';
import { Confirm } from '../../parts/overlays/dialog.tsx';

/** Sends a job once more after a person's decision, with the possible cost. Asks for a secret word that is not kept any more. */
export function SendAgain(props: { readonly job: Job; readonly onClose: () => void }) {
  const { job } = props;
  const { t } = useTranslation();
  const again = useCall('jobs.sendAgain');
  const [word, setWord] = useState('');
  const [result, setResult] = useState<SentAgain | null>(null);
  const asksForWord = [job.failure, again.failure].some((failure) => failure?.detail === 'secret-word-missing');
  const preview = useAgainPreview({ jobIds: [job.id] });

  async function send() {
    const ended = await again.run({ jobId: job.id, ...(word === '' ? {} : { secretWord: word }) });
    if (!ended.ok) return;
    if (isPartial(ended.value)) setResult(ended.value);
    else props.onClose();
  }

  if (result) return <SentAgainResult result={result} onClose={props.onClose} />;
  return (
    <Confirm
      title={t('jobs.sendAgainTitle', { title: job.title })}
      confirm={t('jobs.sendAgainConfirm')}
      danger={job.state === 'in-doubt'}
      busy={again.busy}
      isDisabled={!preview.data}
      onConfirm={() => void send()}
      onClose={props.onClose}
    >
      <AgainConsequences preview={preview} connectionId={job.connectionId} />
      {job.state === 'in-doubt' ? <p>{t('jobs.sendAgainDoubt')}</p> : null}
      {asksForWord ? (
        <TextField
          label={t('compose.secretWord')}
          type="password"
          value={word}
          onChange={setWord}
          help={t('jobs.secretWordHelp')}
          maxLength={200}
        />
      ) : null}
      {again.failure ? <FailureView failure={again.failure} /> : null}
    </Confirm>
  );
}
