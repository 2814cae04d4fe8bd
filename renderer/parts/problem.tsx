import { ChevronRight, CloudOff, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Disclosure, DisclosurePanel, Button as Trigger } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import { CopyButton } from './copy.tsx';
import looks from './looks.module.css';
import css from './problem.module.css';

/** A problem, shown beside its cause: what happened, what to do, and, if there is one, a folded part to copy for support. */
export function Problem(props: {
  readonly heading: string;
  readonly advice?: string;
  readonly words?: ReactNode;
  readonly technical?: string;
  /** Grey instead of red, for problems that are no error and say nothing about the document. */
  readonly calm?: boolean;
  readonly children?: ReactNode;
}) {
  const { t } = useTranslation();
  const Icon = props.calm ? CloudOff : TriangleAlert;
  return (
    <div className={`${css.problem} ${props.calm ? css.calm : ''}`} role="alert">
      <p className={css.heading}>
        <Icon aria-hidden="true" />
        <span>{props.heading}</span>
      </p>
      {props.advice ? <p>{props.advice}</p> : null}
      {props.words ? <p>{props.words}</p> : null}
      {props.children ? <div className={looks.line}>{props.children}</div> : null}
      {props.technical ? (
        <Fold label={t('common.technical')}>
          <Technical text={props.technical} />
          <CopyButton text={props.technical} label={t('common.copyTechnical')} />
        </Fold>
      ) : null}
    </div>
  );
}

/** Monospaced text, unchanged, scrollable by keyboard. */
export function Technical(props: { readonly text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard
    <pre className={css.technical} tabIndex={0}>
      {props.text}
    </pre>
  );
}

/** In the place of a part whose file could not be loaded. Nothing is lost: what a person entered is kept outside of the parts. */
export function NotLoaded(props: { readonly error: unknown; readonly again: () => void }) {
  const { t } = useTranslation();
  return (
    <Problem heading={t('app.notLoadedHeading')} advice={t('app.notLoadedAdvice')} technical={String(props.error)}>
      <Button onPress={props.again}>{t('app.loadAgain')}</Button>
    </Problem>
  );
}

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
      <Trigger slot="trigger" className={css.trigger ?? ''}>
        <ChevronRight aria-hidden="true" />
        {props.label}
      </Trigger>
      <DisclosurePanel>{props.children}</DisclosurePanel>
    </Disclosure>
  );
}
