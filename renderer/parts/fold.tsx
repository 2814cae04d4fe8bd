import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, Disclosure, DisclosurePanel } from 'react-aria-components';
import css from './problem.module.css';

/** A part that can be unfolded; with `onOpenChange`, `open` decides whether it is. */
export function Fold(props: {
  readonly label: string;
  readonly open?: boolean;
  readonly onOpenChange?: (open: boolean) => void;
  readonly children: ReactNode;
}) {
  const open = props.open ?? false;
  return (
    <Disclosure
      {...(props.onOpenChange ? { isExpanded: open, onExpandedChange: props.onOpenChange } : { defaultExpanded: open })}
    >
      <Button slot="trigger" className={css.trigger ?? ''}>
        <ChevronRight aria-hidden="true" />
        {props.label}
      </Button>
      <DisclosurePanel>{props.children}</DisclosurePanel>
    </Disclosure>
  );
}
