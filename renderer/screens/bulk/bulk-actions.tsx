import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Bulk } from '../../../contract/bulk.ts';
import { languageFor } from '../../../locales/choose-language.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { useForbidden } from '../../bridge/use-policy.ts';
import { Button } from '../../parts/button.tsx';
import { useFormat } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { MenuButton } from '../../parts/overlays/menu-button.tsx';
import css from './bulk.module.css';
import { SendReview } from './send-review.tsx';

type Step = 'mend' | 'first' | 'all' | 'pause';

/** What a person does next, then what else is possible. */
function stepsOf({ state, counts }: Bulk): readonly Step[] {
  const left = counts.ready + counts.withWarnings;
  if (state === 'sending') return ['pause'];
  const mend: readonly Step[] = counts.withErrors > 0 ? ['mend'] : [];
  if (left === 0) return mend;
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
  const pause = useCall('bulk.pause');
  const results = useResults(bulk.id);
  const count = proposedBy(bulk);
  const failure = pause.failure ?? results.failure;
  const texts: Record<Step, string> = {
    mend: t('bulk.mend', { count: counts.withErrors, shown: format.number(counts.withErrors) }),
    first: t('bulk.sendFirst'),
    all: t(counts.queued > 1 && bulk.state === 'paused' ? 'bulk.resume' : 'bulk.sendAll', {
      count,
      shown: format.number(count),
    }),
    pause: t('bulk.pause'),
  };
  const acts: Record<Step, () => void> = {
    mend: props.onMend,
    first: () => setAsking('first'),
    all: () => setAsking('all'),
    pause: () => void pause.run({ id: bulk.id }),
  };
  const steps = stepsOf(bulk);
  return (
    <div className={css.actions}>
      {/* Before the buttons, which stay where they are when it appears. */}
      <span role="status" className={looks.hint}>
        {results.saved}
      </span>
      {steps.map((step, index) => (
        <Button
          key={step}
          kind={index === 0 ? 'primary' : 'plain'}
          isPending={step === 'pause' && pause.busy}
          onPress={acts[step]}
        >
          {texts[step]}
        </Button>
      ))}
      {counts.queued + counts.withErrors + counts.withWarnings > 0 ? (
        <MenuButton
          label={t('bulk.save')}
          kind={steps.length === 0 ? 'primary' : 'quiet'}
          isPending={results.busy}
          unavailable={results.unavailable}
          choices={[
            { key: 'xlsx', text: t('bulk.saveXlsx') },
            { key: 'csv', text: t('bulk.saveCsv') },
          ]}
          onChoose={(kind) => void results.saveAs(kind)}
        />
      ) : null}
      {failure ? <FailureView failure={failure} /> : null}
      {asking ? <SendReview bulk={bulk} rows={asking} onClose={() => setAsking(null)} /> : null}
    </div>
  );
}

/** Saving of the results as a table, with what was saved last. */
function useResults(id: string) {
  const { t, i18n } = useTranslation();
  const [saved, setSaved] = useState<string | null>(null);
  const { run, busy, failure } = useCall('bulk.saveResults');
  const unavailable = useForbidden('bulk.saveResults');
  async function saveAs(format: 'csv' | 'xlsx') {
    const done = await run({ id, format, language: languageFor(i18n.language, []) });
    if (done.ok && done.value) setSaved(t('bulk.sampleSaved', { name: done.value.fileName }));
  }
  return { saved, saveAs, busy, failure, unavailable };
}
