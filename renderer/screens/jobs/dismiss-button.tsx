import { X } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../../parts/button.tsx';

/** Longest time between the two presses of a double click. */
const doubleClickMs = 500;

/** Takes ended jobs off the list. It appears where "Cancel" was: the second press of a double click there is not for it. */
export function DismissButton(props: {
  readonly label: string;
  readonly isDisabled?: boolean;
  readonly onPress: () => void;
}) {
  const [shownAt] = useState(() => performance.now());
  return (
    <IconButton
      label={props.label}
      icon={<X aria-hidden="true" />}
      isDisabled={props.isDisabled ?? false}
      onPress={() => (performance.now() - shownAt < doubleClickMs ? undefined : props.onPress())}
    />
  );
}
