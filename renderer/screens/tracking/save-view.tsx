import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureView } from '../../bridge/failure-view.tsx';
import { SaveViewDialog } from '../../features/save-view-dialog.tsx';
import type { useViews } from '../../features/saved-views.ts';
import { RailItem } from './rail-item.tsx';
import type { TrackedView } from './tracked-view.ts';

/** Keeps list, filters and columns under a name, which then stands above. */
export function SaveView(props: {
  readonly view: TrackedView;
  readonly kept: ReturnType<typeof useViews>;
  readonly onSaved: (id: string) => void;
}) {
  const { kept } = props;
  const { t } = useTranslation();
  const [isSaving, setSaving] = useState(false);
  return (
    <>
      <RailItem
        text={t('tracking.saveView')}
        isCurrent={false}
        onPress={() => {
          kept.forgetFailure();
          setSaving(true);
        }}
      />
      {isSaving ? (
        <SaveViewDialog
          title={t('tracking.saveViewTitle')}
          kept={kept}
          content={JSON.stringify(props.view)}
          onSaved={({ id }) => props.onSaved(id)}
          onClose={() => setSaving(false)}
        />
      ) : null}
      {kept.failure && !isSaving ? <FailureView failure={kept.failure} /> : null}
    </>
  );
}
