import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, Disclosure, DisclosurePanel } from 'react-aria-components';
import css from './problem.module.css';

/** A part that can be unfolded. */
export function Fold(props: { readonly label: string; readonly open?: boolean; readonly children: ReactNode }) {
  return (
    <Disclosure defaultExpanded={props.open ?? false}>
      <Button slot="trigger" className={css.trigger ?? ''}>
        <ChevronRight aria-hidden="true" />
        {props.label}
      </Button>
      <DisclosurePanel className={css.panel ?? ''}>{props.children}</DisclosurePanel>
    </Disclosure>
  );
}
