import { useTranslation } from 'react-i18next';
import { useCurrentConnection } from '../../bridge/live.tsx';
import { Button } from '../../parts/button.tsx';
import { visibleName } from '../../parts/format.ts';
import { useGo } from '../../parts/navigation.tsx';
import { useForms } from '../signature-queries.ts';

/** Leads back to the request that was written last and never sent; nothing if there is none. */
export function ContinueDraft() {
  const { t } = useTranslation();
  const go = useGo();
  const { id } = useCurrentConnection();
  // Last changed first. Those that were sent once are shown with the requests that need a decision.
  const draft = useForms('draft', id).data?.find(({ job }) => job === null);
  if (!draft) return null;
  const title = visibleName(draft.name || t('compose.untitled'));
  return (
    <p>
      <Button kind="link" onPress={() => go({ screen: 'compose', draftId: draft.id })}>
        {t('compose.continueDraft', { title })}
      </Button>
    </p>
  );
}
