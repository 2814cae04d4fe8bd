import type { ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import css from './overlay.module.css';

/** A window over the window. Esc closes it, focus stays inside and goes back afterwards. */
export function Dialog(props: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly actions: ReactNode;
  readonly wide?: boolean;
  /** For a question whose answer must not be left open by a click beside it. */
  readonly alert?: boolean;
}) {
  return (
    <ModalOverlay
      isOpen
      isDismissable={!props.alert}
      onOpenChange={(open) => (open ? undefined : props.onClose())}
      className={css.scrim ?? ''}
    >
      <Modal className={`${css.window} ${props.wide ? css.wide : ''}`}>
        <AriaDialog className={css.dialog ?? ''} role={props.alert ? 'alertdialog' : 'dialog'}>
          <Heading slot="title" level={2} className={css.title}>
            {props.title}
          </Heading>
          <div className={css.body}>{props.children}</div>
          <div className={css.actions}>{props.actions}</div>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

/** A question with its consequence spelled out. Focus starts on the way out, never on the deed. */
export function Confirm(props: {
  readonly title: string;
  readonly children: ReactNode;
  readonly confirm: string;
  readonly cancel?: string;
  readonly danger?: boolean;
  readonly busy?: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  return (
    <Dialog
      title={props.title}
      onClose={props.onClose}
      alert
      actions={
        <>
          <Button autoFocus onPress={props.onClose}>
            {props.cancel ?? t('common.cancel')}
          </Button>
          <Button kind={props.danger ? 'danger' : 'primary'} onPress={props.onConfirm} isPending={props.busy ?? false}>
            {props.confirm}
          </Button>
        </>
      }
    >
      {props.children}
    </Dialog>
  );
}
