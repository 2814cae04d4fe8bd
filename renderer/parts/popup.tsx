import { ChevronDown } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { Button } from './button.tsx';
import css from './popup.module.css';
import { useTriggerInSight } from './use-trigger-in-sight.ts';

/** A button that opens a small popup with fields. */
export function Popup(props: { readonly label: string; readonly title: string; readonly children: ReactNode }) {
  const trigger = useRef<HTMLButtonElement>(null);
  useTriggerInSight(trigger);
  return (
    <DialogTrigger>
      <Button ref={trigger}>
        {props.label}
        <ChevronDown aria-hidden="true" />
      </Button>
      <Popover className={css.popup ?? ''} placement="bottom end" offset={4}>
        <Dialog className={css.box ?? ''} aria-label={props.title}>
          {props.children}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}
