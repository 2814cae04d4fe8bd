import { ChevronDown } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { Button } from './button.tsx';
import popup from './popup.module.css';
import { useTriggerInSight } from './use-trigger-in-sight.ts';

/** A button that opens a short menu of actions. */
export function MenuButton<K extends string>(props: {
  readonly label: string;
  /** Shown in place of the label, which stays the name and the tooltip. */
  readonly icon?: ReactNode;
  readonly kind?: 'plain' | 'primary' | 'quiet';
  readonly isPending?: boolean;
  /** Why it cannot be used. */
  readonly unavailable?: string | undefined;
  readonly choices: readonly { readonly key: K; readonly text: string }[];
  readonly onChoose: (key: K) => void;
}) {
  const trigger = useRef<HTMLButtonElement>(null);
  useTriggerInSight(trigger);
  const button = (
    <Button
      ref={trigger}
      kind={props.kind ?? 'plain'}
      isPending={props.isPending ?? false}
      unavailable={props.unavailable}
      {...(props.icon ? { 'aria-label': props.label } : {})}
    >
      {props.icon ?? props.label}
      <ChevronDown aria-hidden="true" />
    </Button>
  );
  if (props.unavailable) return button;
  return (
    <MenuTrigger>
      {button}
      <Popover className={popup.popup ?? ''} placement="bottom end" offset={6}>
        <Menu
          className={popup.list ?? ''}
          onAction={(key) => {
            const choice = props.choices.find((one) => one.key === key);
            if (choice) props.onChoose(choice.key);
          }}
        >
          {props.choices.map((choice) => (
            <MenuItem key={choice.key} id={choice.key} textValue={choice.text} className={popup.item ?? ''}>
              <span className={popup.text}>{choice.text}</span>
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
