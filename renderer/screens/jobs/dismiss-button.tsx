import { X } from 'lucide-react';
import { IconButton, useFirstPress } from '../../parts/button.tsx';

/** Takes ended jobs off the list. It appears where "Cancel" was. */
export function DismissButton(props: {
  readonly label: string;
  readonly isDisabled?: boolean;
  readonly onPress: () => void;
}) {
  const onPress = useFirstPress(props.onPress);
  const { label, isDisabled = false } = props;
  return <IconButton label={label} icon={<X aria-hidden="true" />} isDisabled={isDisabled} onPress={onPress} />;
}
