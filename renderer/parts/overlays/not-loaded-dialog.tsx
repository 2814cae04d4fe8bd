import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { Button } from '../button.tsx';
import { Problem } from '../problem.tsx';
import { Dialog } from './dialog.tsx';

/** A dialog says that a part of the window cannot be loaded, and loads it again on request. */
export function NotLoadedDialog(props: {
  readonly title: (t: TFunction) => string;
  readonly heading?: ((t: TFunction) => string) | undefined;
  readonly error: unknown;
  readonly again: () => void;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  return (
    <Dialog
      title={props.title(t)}
      onClose={props.onClose}
      actions={
        <>
          <Button onPress={props.onClose}>{t('common.close')}</Button>
          <Button kind="primary" autoFocus onPress={props.again}>
            {t('app.loadAgain')}
          </Button>
        </>
      }
    >
      <Problem
        heading={props.heading?.(t) ?? t('app.notLoadedHeading')}
        advice={t('app.notLoadedAdvice')}
        technical={String(props.error)}
      />
    </Dialog>
  );
}
