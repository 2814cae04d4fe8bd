import { useTranslation } from 'react-i18next';
import type { SavedView } from '../../../contract/views.ts';
import { useCurrentConnection } from '../../bridge/live.tsx';
import type { useViews } from '../saved-views.ts';
import { keyByName, type Listed, listTogether, type SharedOf, useSharedItems, useSharing } from './sharing.ts';

type SharedView = SharedOf<'view'>;
/** A view that a person saved, that the team shares, or both. */
export type KnownView = Listed<SavedView, SharedView>;

const texts = {
  copy: 'team.sharing.copyView',
  share: 'team.sharing.shareView',
  shareChanges: 'team.sharing.shareViewChanges',
  stop: 'team.sharing.stopView',
} as const;

/**
 * Views of a screen that a person saved or that the team of the current connection shares, each once, by name. `contentOf` reads the text of a view and answers what
 * this version understands of it: nothing else is shared, used or copied.
 */
export function useTeamViews(props: {
  readonly screen: SharedView['value']['screen'];
  readonly kept: ReturnType<typeof useViews>;
  readonly contentOf: (text: string) => string;
  readonly onCopied: (view: SavedView) => void;
}) {
  const { screen, kept, contentOf } = props;
  const { t } = useTranslation();
  const connectionId = useCurrentConnection().id;
  const sharing = useSharing(connectionId);
  const shared = useSharedItems(connectionId, 'view')
    .filter(({ value }) => value.screen === screen)
    .map((item) => ({ ...item, value: { ...item.value, content: contentOf(item.value.content) } }));
  const views: readonly KnownView[] = listTogether(kept.views, shared, keyByName);

  async function copy({ name, content }: SharedView['value']): Promise<void> {
    const saved = await kept.save(name, content);
    if (!saved) return;
    sharing.announceCopy(name);
    props.onCopied(saved);
  }

  /** What can be done with a view and the team. */
  function actionsOf({ own, shared: item }: KnownView) {
    const { name } = own ?? item.value;
    const value = own && ({ kind: 'view', screen, name, content: contentOf(own.content) } as const);
    const copying = own ? [] : [{ key: 'copy', reason: undefined, run: () => void copy(item.value) } as const];
    const actions = [...copying, ...sharing.actionsOf(value, item)];
    return actions.map((action) => ({ ...action, text: t(texts[action.key], { name }) }));
  }

  return { views, actionsOf, sharing } as const;
}

/** Names a view on its screen: of one's own by its ID, else by that of the team. */
export function idOfView({ own, shared }: KnownView): string {
  return own?.id ?? `team ${shared?.key}`;
}

/** The content of a view: one's own wins. */
export function contentOfView({ own, shared }: KnownView): string {
  return own?.content ?? shared?.value.content ?? '';
}
