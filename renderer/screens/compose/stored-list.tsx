import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Failure } from '../../../contract/failure.ts';
import type { SharedValue } from '../../../contract/shared.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import type { ListedItem, Sharing } from '../../features/team/sharing.ts';
import { ShareButtons, SharedBy, SharingState } from '../../features/team/sharing-parts.tsx';
import { UndoStrip } from '../../features/undo.tsx';
import { Button } from '../../parts/button.tsx';
import looks from '../../parts/looks.module.css';
import css from './compose.module.css';

/** Something that is saved: by the person, by the team, or both. */
interface Stored {
  readonly key: string;
  readonly name: string;
  /** What it is, below its name. */
  readonly about: ReactNode;
  readonly chip?: ReactNode;
  /** What the team shares of it, and what the person would share. */
  readonly shared?: ListedItem | null;
  readonly value?: SharedValue | null;
  /** The one in use now can neither be opened nor removed. */
  readonly isLocked?: boolean;
  /** `id`: of its button, for the focus after that. */
  readonly actions: readonly {
    readonly text: string;
    readonly run: () => void;
    readonly isMain?: true;
    readonly id?: string;
  }[];
  readonly onRemove?: (() => void) | null;
}

/** What is saved of one kind, with what can be done with each: one list for drafts, presets and templates. */
export function StoredList(props: {
  readonly label: string;
  readonly items: readonly Stored[];
  readonly sharing?: Sharing;
  readonly failure: Failure | null;
}) {
  const { sharing } = props;
  const { t } = useTranslation();
  return (
    <>
      {props.failure ? <FailureView failure={props.failure} /> : null}
      {sharing ? <SharingState sharing={sharing} /> : null}
      <ul className={looks.stack} aria-label={props.label}>
        {props.items.map(({ key, name, shared = null, value = null, isLocked = false, ...one }) => (
          <li key={key} className={css.item}>
            <div className={looks.grow}>
              <strong>{name}</strong>
              {one.about}
              <SharedBy item={shared} />
            </div>
            {one.chip}
            <div className={css.itemActions}>
              {one.actions.map(({ text, run, isMain, ...rest }) => (
                <Button
                  key={text}
                  {...rest}
                  kind={isMain ? 'plain' : 'quiet'}
                  of={name}
                  isDisabled={isLocked}
                  onPress={run}
                >
                  {text}
                </Button>
              ))}
              {sharing ? <ShareButtons sharing={sharing} own={value} shared={shared} /> : null}
              {one.onRemove ? (
                <Button kind="quiet" of={name} isDisabled={isLocked} onPress={one.onRemove}>
                  {t('common.remove')}
                </Button>
              ) : null}
            </div>
          </li>
        ))}
      </ul>
      <UndoStrip ofDialog />
    </>
  );
}
