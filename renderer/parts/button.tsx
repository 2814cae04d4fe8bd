import { LoaderCircle } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button as AriaButton, type ButtonProps } from 'react-aria-components';
import css from './button.module.css';
import { Hint } from './hint.tsx';

type Props = Omit<ButtonProps, 'children' | 'className' | 'style'> & {
  readonly kind?: 'plain' | 'primary' | 'quiet' | 'danger';
  readonly icon?: ReactNode;
  readonly children: ReactNode;
};

/** A button with a text. A screen has one `primary` button. */
export function Button({ kind = 'plain', icon, isPending, onPress, children, ...rest }: Props) {
  return (
    <AriaButton
      {...rest}
      // React Aria's own pending state leaves an unnamed image in its live region when the button is removed.
      aria-disabled={isPending ? 'true' : undefined}
      {...(onPress && !isPending ? { onPress } : {})}
      className={`${css.button} ${kind === 'plain' ? '' : css[kind]} ${isPending ? css.busy : ''}`}
    >
      {isPending ? <LoaderCircle aria-hidden="true" className={css.spinner} /> : icon}
      {children}
    </AriaButton>
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
