import { type KeyboardEvent, type PointerEvent, useEffect, useId, useState } from 'react';

interface ComboboxOptions {
  /** Name of the list of options. */
  readonly label: string;
  /** Of the options, each another one: the active option stays so where others come or go. */
  readonly keys: readonly string[];
  readonly isOpen: boolean;
  /** When it changes, the first option is active again, or none. */
  readonly resetKey: string;
  /** True: the first option is active at once, so that Enter takes it. */
  readonly startsAtFirst: boolean;
  readonly onPick: (index: number) => void;
}

/** A text field with a list of options, as the ARIA pattern of a combobox: the focus stays in the field, arrow keys move the active option. */
export function useCombobox({ label, keys, isOpen, resetKey, startsAtFirst, onPick }: ComboboxOptions) {
  const id = useId();
  const count = keys.length;
  const [active, setActive] = useState<string | undefined>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: other options begin anew
  useEffect(() => setActive(undefined), [resetKey]);
  const at = active === undefined ? -1 : keys.indexOf(active);
  const shown = !isOpen || count === 0 ? -1 : at < 0 && startsAtFirst ? 0 : at;
  const optionId = (index: number) => `${id}-${index}`;
  useEffect(() => {
    if (shown >= 0) document.getElementById(`${id}-${shown}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, shown]);

  function onKeyDown(event: KeyboardEvent): void {
    if (!isOpen || count === 0 || event.altKey || event.nativeEvent.isComposing) return;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0 && !(event.key === 'Enter' && shown >= 0)) return;
    event.preventDefault();
    if (step === 0) onPick(shown);
    else setActive(keys[shown < 0 && step < 0 ? count - 1 : (shown + step + count) % count]);
  }

  return {
    active: shown,
    inputProps: {
      role: 'combobox',
      'aria-autocomplete': 'list',
      'aria-expanded': isOpen && count > 0,
      'aria-controls': isOpen && count > 0 ? `${id}-list` : undefined,
      'aria-activedescendant': shown >= 0 ? optionId(shown) : undefined,
      onKeyDown,
    },
    listProps: { id: `${id}-list`, role: 'listbox', 'aria-label': label },
    optionProps: (index: number) => ({
      id: optionId(index),
      role: 'option',
      'aria-selected': index === shown,
      ...(index === shown ? { 'data-focused': '' } : {}),
      // The focus stays in the field.
      onPointerDown: (event: PointerEvent) => event.preventDefault(),
      // Options that open under a resting pointer are told of a move that nobody made: Enter would choose one of them.
      onPointerMove: ({ movementX, movementY }: PointerEvent) => {
        if (movementX !== 0 || movementY !== 0) setActive(keys[index]);
      },
      onClick: () => onPick(index),
    }),
  } as const;
}
