import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureView } from '../../bridge/failure-view.tsx';
import { SaveViewDialog } from '../../features/save-view-dialog.tsx';
import type { useViews } from '../../features/saved-views.ts';
import { MenuButton } from '../../parts/menu-button.tsx';
import { type DocumentsView, firstView, viewOf } from './documents-view.ts';

/** Saved views: search, filters, sort and columns under a name. */
export function ViewsMenu(props: {
  readonly view: DocumentsView;
  readonly onChange: (view: DocumentsView) => void;
  readonly kept: ReturnType<typeof useViews>;
}) {
  const { t } = useTranslation();
  const { view, onChange, kept } = props;
  const [used, setUsed] = useState<string | null>(null);
  const [isNaming, setNaming] = useState(false);
  const current = kept.views.find(({ id }) => id === used);

  function choose(key: string) {
    const [action, id] = key.split(':');
    const saved = kept.views.find((one) => one.id === id);
    if (action === 'everything') {
      setUsed(null);
      onChange(firstView);
    } else if (action === 'save') {
      kept.forgetFailure();
      setNaming(true);
    } else if (action === 'use' && saved) {
      setUsed(saved.id);
      onChange(viewOf(saved.content));
    } else if (action === 'update' && saved) void kept.save(saved.name, JSON.stringify(view), saved.id);
    else if (action === 'remove' && saved) void removeView(saved.id);
  }

  async function removeView(id: string) {
    if (await kept.remove(id)) setUsed(null);
  }

  return (
    <>
      <MenuButton
        label={current?.name ?? t('documents.views')}
        choices={[
          { key: 'everything', text: t('documents.everything') },
          ...kept.views.map(({ id, name }) => ({ key: `use:${id}`, text: name })),
          { key: 'save', text: t('documents.saveView') },
          ...(current
            ? [
                { key: `update:${current.id}`, text: t('documents.updateView', { name: current.name }) },
                { key: `remove:${current.id}`, text: t('documents.removeView', { name: current.name }) },
              ]
            : []),
        ]}
        onChoose={choose}
      />
      {isNaming ? (
        <SaveViewDialog
          title={t('documents.saveViewTitle')}
          kept={kept}
          content={JSON.stringify(view)}
          onClose={() => setNaming(false)}
        />
      ) : null}
      {kept.failure && !isNaming ? <FailureView failure={kept.failure} /> : null}
    </>
  );
}
