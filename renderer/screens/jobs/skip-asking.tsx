import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Failure } from '../../../contract/failure.ts';
import { ask } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { Button } from '../../parts/button.tsx';

const atOnce = 500;

/** Skips all jobs whose bytes are already registered. Sending them is decided one by one. */
export function SkipAsking(props: { readonly count: number }) {
  const { t } = useTranslation();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);

  async function skip() {
    setBusy(true);
    setFailure(await skipAll());
    setBusy(false);
  }

  return (
    <>
      <Button isPending={isBusy} onPress={() => void skip()}>
        {t('jobs.skipAll', { count: props.count })}
      </Button>
      {failure ? <FailureView failure={failure} /> : null}
    </>
  );
}

async function skipAll(): Promise<Failure | null> {
  for (;;) {
    const page = await ask('jobs.list', { asking: true, limit: atOnce });
    if (!page.ok) return page.failure;
    const jobIds = page.value.jobs.map((job) => job.id);
    if (jobIds.length === 0) return null;
    const decided = await ask('jobs.decide', { jobIds, decision: 'skip' });
    if (!decided.ok) return decided.failure;
  }
}
