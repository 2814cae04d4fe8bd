import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SavedView } from '../../contract/views.ts';
import { FailureView } from '../bridge/failure-view.tsx';
import { MenuButton } from '../parts/overlays/menu-button.tsx';
import { NameDialog } from './forms/name-dialog.tsx';
import type { useViews } from './saved-views.ts';
import { SharingState } from './team/sharing-parts.tsx';
import { contentOfView, idOfView, type KnownView, useTeamViews } from './team/team-views.ts';

/** Views of a list: built-in ones, and search, filters, sort and columns that were saved under a name, one's own and the team's. */
export function ViewsMenu<V>(props: {
  readonly screen: 'documents' | 'tracking';
  readonly view: V;
  /** Views that every program has. */
  readonly builtIn: readonly { readonly key: string; readonly text: string; readonly view: V }[];
  /** Reads the text of a view: what this version understands of it is used and shared. */
  readonly viewOf: (text: string) => V;
  readonly onChange: (view: V) => void;
  readonly kept: ReturnType<typeof useViews>;
}) {
  const { t } = useTranslation();
  const { screen, view, onChange, kept, viewOf } = props;
  const [used, setUsed] = useState<string | null>(null);
  /** The view that gets another name, or a new one. */
  const [naming, setNaming] = useState<SavedView | 'new' | null>(null);
  const contentOf = (text: string) => JSON.stringify(viewOf(text));
  const team = useTeamViews({ screen, kept, contentOf, onCopied: ({ id }) => setUsed(id) });
  const current = team.views.find((one) => idOfView(one) === used) ?? null;
  const own = current?.own ?? null;
  const actions = current ? team.actionsOf(current) : [];

  function choose(key: string) {
    const saved = team.views.find((one) => `use ${idOfView(one)}` === key);
    const builtIn = props.builtIn.find((one) => one.key === key);
    if (saved ?? builtIn) setUsed(saved ? idOfView(saved) : null);
    if (saved) onChange(viewOf(contentOfView(saved)));
    else if (builtIn) onChange(builtIn.view);
    else if (key === 'save' || (key === 'rename' && own)) {
      kept.forgetFailure();
      setNaming(key === 'save' ? 'new' : own);
    } else if (key === 'update' && own) void kept.save(own.name, JSON.stringify(view), own.id);
    else if (key === 'remove' && own) void kept.remove(own).then((isRemoved) => isRemoved && setUsed(null));
    else actions.find((action) => action.key === key)?.run();
  }

  return (
    <>
      <MenuButton
        label={current ? nameOf(current) : t('documents.views')}
        choices={[
          ...props.builtIn.map(({ key, text }) => ({ key, text })),
          ...savedChoices(team.views, own, t),
          ...actions.map(({ key, text, reason }) => ({ key, text, detail: reason })),
        ]}
        onChoose={choose}
      />
      {naming ? (
        <ViewName
          was={naming === 'new' ? null : naming}
          content={JSON.stringify(view)}
          kept={kept}
          onClose={() => setNaming(null)}
        />
      ) : null}
      {kept.failure && !naming ? <FailureView failure={kept.failure} /> : null}
      <SharingState sharing={team.sharing} />
    </>
  );
}

/** Asks for the name of a new view, or another one for a saved view. */
function ViewName(props: {
  readonly was: SavedView | null;
  readonly content: string;
  readonly kept: ReturnType<typeof useViews>;
  readonly onClose: () => void;
}) {
  const { was, content, kept } = props;
  const { t } = useTranslation();
  return (
    <NameDialog
      was={was?.name}
      title={t('documents.saveViewTitle')}
      label={t('common.viewName')}
      confirm={t('common.saveView')}
      saving={{ busy: kept.isSaving, failure: kept.failure, clear: kept.forgetFailure }}
      onName={async (name) => (await kept.save(name, was?.content ?? content, was?.id)) !== null}
      onClose={props.onClose}
    />
  );
}

const nameOf = ({ own, shared }: KnownView) => own?.name ?? shared?.value.name ?? '';

/** The saved views, and what can be done with the one that is used. */
function savedChoices(views: readonly KnownView[], own: SavedView | null, t: TFunction) {
  return [
    ...views.filter((one) => one.own).map((one) => choiceOf(one, t)),
    ...views.filter((one) => !one.own).map((one) => ({ ...choiceOf(one, t), group: t('team.sharing.fromTeam') })),
    { key: 'save', text: t('documents.saveView') },
    ...(own
      ? [
          { key: 'rename', text: t('common.rename') },
          { key: 'update', text: t('documents.updateView', { name: own.name }) },
          { key: 'remove', text: t('documents.removeView', { name: own.name }) },
        ]
      : []),
  ];
}

function choiceOf(one: KnownView, t: TFunction) {
  const person = one.shared?.by.person;
  return {
    key: `use ${idOfView(one)}`,
    text: nameOf(one),
    detail: person === undefined ? undefined : t('team.sharing.by', { person }),
  };
}
