import { Ellipsis, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { useViews } from '../../features/saved-views.ts';
import { SharedBy } from '../../features/sharing-parts.tsx';
import { contentOfView, idOfView, type KnownView, type useTeamViews } from '../../features/team-views.ts';
import { IconButton } from '../../parts/button.tsx';
import { MenuButton } from '../../parts/menu-button.tsx';
import { RailItem } from './rail-item.tsx';
import { type TrackedView, usualColumns, usualFilter, viewOf } from './tracked-view.ts';

interface ViewsProps {
  /** The view that is shown. */
  readonly viewId: string | null;
  readonly kept: ReturnType<typeof useViews>;
  readonly actionsOf: ReturnType<typeof useTeamViews>['actionsOf'];
  readonly onView: (view: TrackedView, id: string | null) => void;
}

/** Saved views, each with what can be done with it beside the one that is shown. */
export function SavedViews(props: ViewsProps & { readonly views: readonly KnownView[] }) {
  return props.views.map((one) => {
    const id = idOfView(one);
    const isCurrent = props.viewId === id;
    return (
      <RailItem
        key={id}
        text={(one.own ?? one.shared.value).name}
        detail={<SharedBy item={one.shared} />}
        isCurrent={isCurrent}
        onPress={() => props.onView(viewOf(contentOfView(one)), id)}
        aside={isCurrent ? <Actions {...props} one={one} /> : null}
      />
    );
  });
}

/** Removing a view, and what can be done with it and the team. */
function Actions(props: ViewsProps & { readonly one: KnownView }) {
  const { t } = useTranslation();
  const { own, shared } = props.one;
  const { name } = own ?? shared.value;
  const actions = props.actionsOf(props.one);
  const remove = own ? t('tracking.removeView', { name }) : null;

  async function removeNow() {
    const isGone = own !== null && (await props.kept.remove(own.id));
    if (isGone) props.onView({ filter: usualFilter, columns: usualColumns, grouped: true }, null);
  }

  if (remove !== null && actions.length === 0)
    return <IconButton label={remove} icon={<X aria-hidden="true" />} onPress={() => void removeNow()} />;
  return (
    <MenuButton
      kind="quiet"
      label={t('team.sharing.viewActions', { name })}
      icon={<Ellipsis aria-hidden="true" />}
      choices={[
        ...actions.map(({ key, text, reason }) => ({ key, text, detail: reason })),
        ...(remove === null ? [] : [{ key: 'remove' as const, text: remove }]),
      ]}
      onChoose={(key) => (key === 'remove' ? void removeNow() : actions.find((action) => action.key === key)?.run())}
    />
  );
}
