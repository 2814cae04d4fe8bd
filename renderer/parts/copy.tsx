import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { idText } from '../../contract/operation.ts';
import { useAnnounce } from './announcer.tsx';
import { Button, IconButton } from './button.tsx';
import css from './copy.module.css';
import { MiddleCut } from './middle-cut.tsx';

/** Time in milliseconds for which the tick replaces the copy icon. */
const tickMs = 1500;

/** Null: there is nothing to copy, and the caller says why. */
type TextToCopy = string | (() => Promise<string | null>);

function useCopy(text: TextToCopy) {
  const { t } = useTranslation();
  const announce = useAnnounce();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), tickMs);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    const found = typeof text === 'string' ? text : await text();
    if (found === null || !(await write(found))) return;
    setCopied(true);
    announce(t('common.copied'));
  };
  return { copied, copy } as const;
}

/** The clipboard API needs a permission that the window is denied; the older command only needs a user's press. */
async function write(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement('textarea');
    field.value = text;
    field.setAttribute('readonly', '');
    field.setAttribute('aria-hidden', 'true');
    const active = document.activeElement;
    (active?.closest('[role="dialog"],[role="alertdialog"]') ?? document.body).append(field);
    field.select();
    const done = document.execCommand('copy');
    field.remove();
    if (active instanceof HTMLElement) active.focus();
    return done;
  }
}

/** Copies a text and announces it. `shown`: fewer words than the label, which stays the name. `isInGrid`: the grid is one Tab stop, give keys another way. */
export function CopyButton(props: {
  readonly text: TextToCopy;
  readonly label: string;
  readonly shown?: string;
  readonly isInGrid?: boolean;
}) {
  const { copied, copy } = useCopy(props.text);
  return (
    <Button
      kind="quiet"
      icon={copied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
      excludeFromTabOrder={props.isInGrid ?? false}
      {...(props.shown ? { 'aria-label': props.label } : {})}
      onPress={copy}
    >
      {props.shown ?? props.label}
    </Button>
  );
}

/** An ID in a monospaced font with a button that copies it. `what` names it for the button: "Document ID". */
export function CopyId(props: { readonly id: string; readonly what: string; readonly short?: boolean }) {
  const id = idText(props.id);
  return (
    <span className={css.id}>
      <span className={css.text}>{props.short ? <MiddleCut text={id} /> : id}</span>
      <CopyIcon text={id} what={props.what} />
    </span>
  );
}

function CopyIcon(props: { readonly text: string; readonly what: string; readonly excludeFromTabOrder?: boolean }) {
  const { text, what, ...rest } = props;
  const { t } = useTranslation();
  const { copied, copy } = useCopy(text);
  return (
    <IconButton
      {...rest}
      label={copied ? t('common.copied') : t('common.copyWhat', { what })}
      icon={copied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
      onPress={copy}
    />
  );
}

/** The name of a text that nobody reads, such as a link, with a button that copies it. For cells of a grid, which is one Tab stop: give keys another way. */
export function CopyCell(props: { readonly text: string; readonly name: string }) {
  return (
    <span className={css.id}>
      <span title={props.text}>{props.name}</span>
      <CopyIcon text={props.text} what={props.name} excludeFromTabOrder />
    </span>
  );
}
