import type { ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { Button } from '../button.tsx';
import css from './overlay.module.css';

/** A modal dialog. Esc closes it; focus stays inside and returns afterwards. */
export function Dialog(props: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Its buttons; without them it is closed by one. */
  readonly actions?: ReactNode;
  /** In place of `actions`: the button beside Cancel that does what the dialog is for. */
  readonly confirm?: ReactNode;
  readonly wide?: boolean;
  /** As large as the window: for what is looked at. */
  readonly full?: boolean;
  /** For a question that must be answered: a click outside does not close it. */
  readonly alert?: boolean;
}) {
  const { t } = useTranslation();
  const leave = <Button onPress={props.onClose}>{props.confirm ? t('common.cancel') : t('common.close')}</Button>;
  return (
    <ModalOverlay
      isOpen
      isDismissable={!props.alert}
      onOpenChange={(open) => (open ? undefined : props.onClose())}
      className={css.scrim ?? ''}
    >
      <Modal className={`${css.window} ${props.full ? css.full : props.wide ? css.wide : ''}`}>
        <AriaDialog className={css.dialog ?? ''} role={props.alert ? 'alertdialog' : 'dialog'}>
          <Heading slot="title" level={2} className={css.title}>
            {props.title}
          </Heading>
          <div className={css.body}>{props.children}</div>
          <div className={css.actions}>
            {props.actions ?? leave}
            {props.confirm}
          </div>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

/** A question that states its consequence. The focus starts on Cancel, never on the action. */
export function Confirm(props: {
  readonly title: string;
  readonly children: ReactNode;
  /** Null: there is nothing to do any more. */
  readonly confirm: string | null;
  readonly cancel?: string;
  readonly danger?: boolean;
  readonly busy?: boolean;
  readonly isDisabled?: boolean;
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
          {props.confirm === null ? null : (
            <Button
              kind={props.danger ? 'danger' : 'primary'}
              onPress={props.onConfirm}
              isPending={props.busy ?? false}
              isDisabled={props.isDisabled ?? false}
            >
              {props.confirm}
            </Button>
          )}
        </>
      }
    >
      {props.children}
    </Dialog>
  );
}
