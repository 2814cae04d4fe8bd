import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureView } from '../../bridge/failure-view.tsx';
import { SaveViewDialog } from '../../features/save-view-dialog.tsx';
import type { useViews } from '../../features/saved-views.ts';
import { SharingState } from '../../features/sharing-parts.tsx';
import { contentOfView, idOfView, type KnownView, useTeamViews } from '../../features/team-views.ts';
import { MenuButton } from '../../parts/menu-button.tsx';
import { type DocumentsView, firstView, viewOf } from './documents-view.ts';

/** A view as it is shared: what this version understands. */
const contentOf = (text: string) => JSON.stringify(viewOf(text));

/** Saved views, one's own and the team's: search, filters, sort and columns under a name. */
export function ViewsMenu(props: {
  readonly view: DocumentsView;
  readonly onChange: (view: DocumentsView) => void;
  readonly kept: ReturnType<typeof useViews>;
}) {
  const { t } = useTranslation();
  const { view, onChange, kept } = props;
  const [used, setUsed] = useState<string | null>(null);
  const [isNaming, setNaming] = useState(false);
  const team = useTeamViews({ screen: 'documents', kept, contentOf, onCopied: ({ id }) => setUsed(id) });
  const current = team.views.find((one) => idOfView(one) === used) ?? null;
  const own = current?.own ?? null;
  const actions = current ? team.actionsOf(current) : [];

  function choose(key: string) {
    const used = team.views.find((one) => `use ${idOfView(one)}` === key);
    if (used) {
      setUsed(idOfView(used));
      onChange(viewOf(contentOfView(used)));
    } else if (key === 'everything') {
      setUsed(null);
      onChange(firstView);
    } else if (key === 'save') {
      kept.forgetFailure();
      setNaming(true);
    } else if (key === 'update' && own) void kept.save(own.name, JSON.stringify(view), own.id);
    else if (key === 'remove' && own) void removeView(own.id);
    else actions.find((action) => action.key === key)?.run();
  }

  async function removeView(id: string) {
    if (await kept.remove(id)) setUsed(null);
  }

  return (
    <>
      <MenuButton
        label={current ? nameOf(current) : t('documents.views')}
        choices={[
          { key: 'everything', text: t('documents.everything') },
          ...team.views.filter((one) => one.own).map((one) => choiceOf(one, t)),
          ...team.views
            .filter((one) => !one.own)
            .map((one) => ({ ...choiceOf(one, t), group: t('team.sharing.fromTeam') })),
          { key: 'save', text: t('documents.saveView') },
          ...(own
            ? [
                { key: 'update', text: t('documents.updateView', { name: own.name }) },
                { key: 'remove', text: t('documents.removeView', { name: own.name }) },
              ]
            : []),
          ...actions.map(({ key, text, reason }) => ({ key, text, detail: reason })),
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
      <SharingState sharing={team.sharing} />
    </>
  );
}

const nameOf = ({ own, shared }: KnownView) => own?.name ?? shared?.value.name ?? '';

function choiceOf(one: KnownView, t: TFunction) {
  const person = one.shared?.by.person;
  return {
    key: `use ${idOfView(one)}`,
    text: nameOf(one),
    detail: person === undefined ? undefined : t('team.sharing.by', { person }),
  };
}
