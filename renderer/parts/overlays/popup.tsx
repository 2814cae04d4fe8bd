import { ChevronDown } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { Button } from '../button.tsx';
import css from './popup.module.css';

/** A button that opens a small popup with fields. `icon`: of one in a row of a grid, which is one Tab stop: give keys another way. */
export function Popup(props: {
  readonly label: string;
  readonly title: string;
  readonly icon?: ReactNode;
  readonly children: ReactNode | ((popup: { readonly close: () => void }) => ReactNode);
}) {
  const { label, icon } = props;
  const trigger = useRef<HTMLButtonElement>(null);
  useTriggerInSight(trigger);
  return (
    <DialogTrigger>
      {icon ? (
        <Button ref={trigger} kind="quiet" excludeFromTabOrder aria-label={label}>
          {icon}
        </Button>
      ) : (
        <Button ref={trigger}>
          {label}
          <ChevronDown aria-hidden="true" />
        </Button>
      )}
      <Popover className={css.popup ?? ''} placement="bottom end" offset={4}>
        <Dialog className={css.box ?? ''} aria-label={props.title}>
          {props.children}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

/** Keeps a trigger in sight when the window becomes smaller: what it opened is placed beside it, and must not lie outside of the window. */
export function useTriggerInSight(trigger: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const show = () => {
      if (trigger.current?.ariaExpanded === 'true') trigger.current.scrollIntoView({ block: 'nearest' });
    };
    // Before react-aria places its popovers anew.
    window.addEventListener('resize', show, { capture: true });
    return () => window.removeEventListener('resize', show, { capture: true });
  }, [trigger]);
}
