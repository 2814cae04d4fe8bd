import { ChevronDown } from 'lucide-react';
import { Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { Button } from './button.tsx';
import popup from './popup.module.css';

/** A button that opens a short menu of actions. */
export function MenuButton<K extends string>(props: {
  readonly label: string;
  readonly kind?: 'plain' | 'primary' | 'quiet';
  readonly isPending?: boolean;
  readonly choices: readonly { readonly key: K; readonly text: string }[];
  readonly onChoose: (key: K) => void;
}) {
  return (
    <MenuTrigger>
      <Button kind={props.kind ?? 'plain'} isPending={props.isPending ?? false}>
        {props.label}
        <ChevronDown aria-hidden="true" />
      </Button>
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
