import { LoaderCircle } from 'lucide-react';
import { type ReactNode, type Ref, useState } from 'react';
import { Button as AriaButton, type ButtonProps } from 'react-aria-components';
import css from './button.module.css';
import { useNarrow } from './hooks/use-narrow.ts';
import { Hint } from './overlays/hint.tsx';

type Props = Omit<ButtonProps, 'children' | 'className' | 'style'> & {
  readonly ref?: Ref<HTMLButtonElement>;
  /** `link`: a line that leads somewhere; its text begins where that of other lines does. */
  readonly kind?: 'plain' | 'primary' | 'quiet' | 'danger' | 'link';
  readonly icon?: ReactNode;
  /** Why it cannot be used: its tooltip, so it keeps the focus. */
  readonly unavailable?: string | undefined;
  /** What it is for, where a list has a button with the same text for each of its rows. */
  readonly of?: string;
  readonly children: ReactNode;
};

/** A button with a text. A screen has one `primary` button. */
export function Button({ kind = 'plain', icon, isPending, unavailable, onPress, of, children, ...rest }: Props) {
  const isIdle = !isPending && unavailable === undefined;
  const button = (
    <AriaButton
      {...(of === undefined ? {} : { 'aria-label': `${children}: ${of}` })}
      {...rest}
      // React Aria's own pending state leaves an unnamed image in its live region when the button is removed.
      aria-disabled={isIdle ? undefined : 'true'}
      {...(onPress && isIdle ? { onPress } : {})}
      className={`${css.button} ${kind === 'plain' ? '' : css[kind]} ${isIdle ? '' : css.busy} ${unavailable ? css.unavailable : ''}`}
    >
      {isPending ? <LoaderCircle aria-hidden="true" className={css.spinner} /> : icon}
      {children}
    </AriaButton>
  );
  return unavailable ? <Hint text={unavailable}>{button}</Hint> : button;
}

/** Longest time between the two presses of a double click. */
const doubleClickMs = 500;

/** For what appears where another button was: the second press of a double click there is not for it. */
export function useFirstPress(act: () => void): () => void {
  const [shownAt] = useState(() => performance.now());
  return () => (performance.now() - shownAt < doubleClickMs ? undefined : act());
}

/** A button among the tools of a list: in a small window only its icon, with its text as name and tooltip. */
export function ToolButton({ label, icon, ...rest }: Omit<Props, 'children'> & { readonly label: string }) {
  const isNarrow = useNarrow();
  return (
    <Hint text={label} isDisabled={!isNarrow}>
      <Button {...rest} {...(isNarrow ? { icon, 'aria-label': label } : {})}>
        {isNarrow ? null : label}
      </Button>
    </Hint>
  );
}

type IconProps = Omit<ButtonProps, 'children' | 'className' | 'style' | 'aria-label'> & {
  /** Accessible name and tooltip. */
  readonly label: string;
  readonly icon: ReactNode;
};

/** A button with an icon only; its name is shown as a tooltip. */
export function IconButton({ label, icon, ...rest }: IconProps) {
  return (
    <Hint text={label}>
      <AriaButton {...rest} aria-label={label} className={`${css.button} ${css.icon}`}>
        {icon}
      </AriaButton>
    </Hint>
  );
}
