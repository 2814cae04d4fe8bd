import { useTranslation } from 'react-i18next';
import type { DraftSummary } from '../../../contract/forms.ts';
import { useCurrentConnection } from '../../bridge/live.tsx';
import { Button } from '../../parts/button.tsx';
import { visibleName } from '../../parts/format.ts';
import { MiddleCut } from '../../parts/middle-cut.tsx';
import { useGo } from '../../parts/navigation.tsx';
import { useBulks } from '../jobs/bulks.ts';
import { useForms } from '../signature-queries.ts';

/** Leads back to the request that was written last and never sent; nothing if there is none. */
export function ContinueDraft() {
  const { t } = useTranslation();
  const go = useGo();
  const { id } = useCurrentConnection();
  // Last changed first. Those that were sent once are shown with the requests that need a decision; one of which a bulk sends rows, with that bulk.
  const { data: bulks = [] } = useBulks();
  const isSent = ({ id: of, updatedAt }: DraftSummary) =>
    bulks.some(({ draftId, counts, createdAt }) => draftId === of && counts.queued > 0 && createdAt >= updatedAt);
  const draft = useForms('draft', id).data?.find((one) => one.job === null && !isSent(one));
  if (!draft) return null;
  const title = visibleName(draft.name || t('compose.untitled'));
  return (
    <Button kind="link" onPress={() => go({ screen: 'compose', draftId: draft.id })}>
      <MiddleCut isSentence text={t('compose.continueDraft', { title })} name={title} />
    </Button>
  );
}
