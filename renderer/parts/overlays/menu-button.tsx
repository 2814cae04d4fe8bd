import { ChevronDown, MoreHorizontal } from 'lucide-react';
import { Fragment, type ReactNode, type RefObject, useEffect, useRef } from 'react';
import {
  Dialog,
  DialogTrigger,
  Header,
  Menu,
  MenuItem,
  MenuSection,
  MenuTrigger,
  Popover,
  Separator,
} from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { Button } from '../button.tsx';
import looks from '../looks.module.css';
import popup from './popup.module.css';
import css from './popup.module.css';

interface MenuChoice<K extends string> {
  readonly key: K;
  readonly text: string;
  /** A second line, in small letters. */
  readonly detail?: string | undefined;
  /** Choices that follow each other with the same group stand below its heading. */
  readonly group?: string;
}

interface MenuProps<K extends string> {
  readonly label: string;
  /** Shown in place of the label, which stays the name and the tooltip. */
  readonly icon?: ReactNode;
  /** For an icon that says by itself that there is a menu. */
  readonly hideArrow?: boolean;
  readonly kind?: 'plain' | 'primary' | 'quiet';
  readonly isPending?: boolean;
  /** In a grid, which is one Tab stop: give keys another way. */
  readonly isInGrid?: boolean;
  /** Why it cannot be used. */
  readonly unavailable?: string | undefined;
  readonly choices: readonly MenuChoice<K>[];
  readonly onChoose: (key: K) => void;
}

/** A button that opens a short menu of actions. */
export function MenuButton<K extends string>(props: MenuProps<K>) {
  const trigger = useRef<HTMLButtonElement>(null);
  useTriggerInSight(trigger);
  const button = (
    <Button
      ref={trigger}
      kind={props.kind ?? 'plain'}
      isPending={props.isPending ?? false}
      excludeFromTabOrder={props.isInGrid ?? false}
      unavailable={props.unavailable}
      {...(props.icon ? { 'aria-label': props.label } : {})}
    >
      {props.icon ?? props.label}
      {props.hideArrow ? null : <ChevronDown aria-hidden="true" />}
    </Button>
  );
  if (props.unavailable) return button;
  return (
    <MenuTrigger>
      {button}
      <Popover className={popup.popup ?? ''} placement="bottom end" offset={6}>
        <Menu
          onAction={(key) => {
            const choice = props.choices.find((one) => one.key === key);
            if (choice) props.onChoose(choice.key);
          }}
        >
          {groupsOf(props.choices).map(({ title, choices }, index) => (
            <Fragment key={choices[0]?.key}>
              {index > 0 ? <Separator className={popup.rule ?? ''} /> : null}
              {title === undefined ? (
                <Items choices={choices} />
              ) : (
                <MenuSection>
                  <Header className={popup.group}>{title}</Header>
                  <Items choices={choices} />
                </MenuSection>
              )}
            </Fragment>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}

/** The same for what has no button of its own. */
export function MoreMenu<K extends string>(props: Pick<MenuProps<K>, 'isInGrid' | 'choices' | 'onChoose'>) {
  const { t } = useTranslation();
  const icon = <MoreHorizontal aria-hidden="true" />;
  return <MenuButton {...props} hideArrow kind="quiet" label={t('connections.moreActions')} icon={icon} />;
}

function Items<K extends string>(props: { readonly choices: readonly MenuChoice<K>[] }) {
  return props.choices.map(({ key, text, detail }) => (
    <MenuItem key={key} id={key} textValue={text} className={popup.item ?? ''}>
      <span className={looks.grow}>
        {text}
        {detail === undefined ? null : <small>{detail}</small>}
      </span>
    </MenuItem>
  ));
}

interface Group<K extends string> {
  readonly title: string | undefined;
  readonly choices: MenuChoice<K>[];
}

function groupsOf<K extends string>(choices: readonly MenuChoice<K>[]): readonly Group<K>[] {
  const groups: Group<K>[] = [];
  for (const choice of choices) {
    const last = groups.at(-1);
    if (last && last.title === choice.group) last.choices.push(choice);
    else groups.push({ title: choice.group, choices: [choice] });
  }
  return groups;
}

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
function useTriggerInSight(trigger: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const show = () => {
      if (trigger.current?.ariaExpanded === 'true') trigger.current.scrollIntoView({ block: 'nearest' });
    };
    // Before react-aria places its popovers anew.
    window.addEventListener('resize', show, { capture: true });
    return () => window.removeEventListener('resize', show, { capture: true });
  }, [trigger]);
}
