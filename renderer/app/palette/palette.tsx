import { Search } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { Dialog, Modal, ModalOverlay, VisuallyHidden } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCombobox } from '../../parts/hooks/use-combobox.ts';
import looks from '../../parts/looks.module.css';
import { useMarks } from '../../parts/mark-matches.ts';
import { MiddleCut } from '../../parts/middle-cut.tsx';
import overlay from '../../parts/overlays/overlay.module.css';
import popup from '../../parts/overlays/popup.module.css';
import css from './palette.module.css';
import { type EntryGroup, usePaletteEntries } from './palette-entries.ts';
import type { Entry } from './palette-found.ts';

/** Ctrl/Cmd+K: people, requests, documents, screens, commands, settings and connections by name. */
export function Palette(props: { readonly onClose: () => void; readonly openFiles: () => void }) {
  const { t } = useTranslation();
  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={(open) => (open ? undefined : props.onClose())}
      className={css.place ?? ''}
    >
      <Modal className={css.window ?? ''}>
        <Dialog aria-label={t('palette.title')} className={overlay.dialog ?? ''}>
          <Finder {...props} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function Finder(props: { readonly onClose: () => void; readonly openFiles: () => void }) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const field = useRef<HTMLDivElement>(null);
  useMarks(field, text);
  const { groups, isCurrent, failure } = usePaletteEntries(text, props.openFiles);
  const entries = groups.flatMap((group) => group.entries);
  const act = (entry: Entry | undefined) => {
    if (!entry) return;
    props.onClose();
    entry.act();
  };
  const combobox = useCombobox({
    label: t('palette.results'),
    keys: entries.map(({ id }) => id),
    isOpen: true,
    resetKey: text.trim(),
    startsAtFirst: true,
    onPick: (index) => act(entries[index]),
  });
  const waitToAct = useActWhenCurrent(text, isCurrent, () => act(entries[0]));
  const spokenCount = useSpokenCount(text, isCurrent, entries.length);

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter' && !isCurrent && combobox.active <= 0) waitToAct();
    else combobox.inputProps.onKeyDown(event);
  }

  return (
    <>
      <div ref={field} className={css.field}>
        <Search aria-hidden="true" />
        <input
          {...combobox.inputProps}
          aria-label={t('palette.field')}
          className={css.input}
          placeholder={t('palette.field')}
          value={text}
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
          // biome-ignore lint/a11y/noAutofocus: the dialog exists for this field
          autoFocus
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <kbd>Esc</kbd>
      </div>
      {/* In the dialog: what is outside of it is not spoken while it is open. */}
      <VisuallyHidden>
        <div role="status">{spokenCount}</div>
      </VisuallyHidden>
      {failure ? <FailureView failure={failure} /> : null}
      {entries.length === 0 && isCurrent ? (
        <p className={`${looks.centred} ${looks.padded}`}>{t('palette.nothing', { text })}</p>
      ) : null}
      <Results groups={groups} combobox={combobox} />
    </>
  );
}

function Results(props: { readonly groups: readonly EntryGroup[]; readonly combobox: ReturnType<typeof useCombobox> }) {
  const { groups, combobox } = props;
  const { t } = useTranslation();
  const id = useId();
  if (groups.length === 0) return null;
  let index = -1;
  return (
    <div {...combobox.listProps} data-marked="" className={css.list}>
      {groups.map((group) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of options, as the pattern has it
        <div key={group.id} role="group" aria-labelledby={`${id}-${group.id}`}>
          <div id={`${id}-${group.id}`} className={popup.group}>
            {t(`palette.${group.id}`)}
          </div>
          {group.entries.map((entry) => {
            index += 1;
            return (
              <div key={entry.id} {...combobox.optionProps(index)} className={popup.item}>
                <entry.icon aria-hidden="true" />
                <span className={looks.grow}>{entry.text}</span>
                {entry.aside ? (
                  <span className={css.aside}>
                    <MiddleCut text={entry.aside} />
                  </span>
                ) : null}
              </div>
            );
          })}
        </div>
      ))}
    </div>
  );
}

/** For a person who types faster than the core answers: Enter acts on the first entry once it answers this text. */
function useActWhenCurrent(text: string, isCurrent: boolean, act: () => void): () => void {
  const [wantedFor, setWantedFor] = useState<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: acts once, when the answer is there
  useEffect(() => {
    if (wantedFor === null || (wantedFor === text && !isCurrent)) return;
    setWantedFor(null);
    if (wantedFor === text) act();
  }, [wantedFor, text, isCurrent]);
  return () => setWantedFor(text);
}

/** The number of results as a text for screen readers, once typing pauses; empty until then. */
function useSpokenCount(text: string, isCurrent: boolean, count: number): string {
  const { t } = useTranslation();
  const [spoken, setSpoken] = useState('');
  useEffect(() => {
    if (text.trim() === '' || !isCurrent) return;
    const timer = setTimeout(() => setSpoken(t('palette.count', { count })), 400);
    return () => clearTimeout(timer);
  }, [t, text, isCurrent, count]);
  return spoken;
}
