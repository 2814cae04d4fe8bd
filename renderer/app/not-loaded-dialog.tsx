import { useTranslation } from 'react-i18next';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Problem } from '../parts/problem.tsx';

/** A dialog says that a part of the window cannot be loaded, and loads it again on request. */
export function NotLoadedDialog(props: {
  readonly title: string;
  readonly heading: string;
  readonly error: unknown;
  readonly again: () => void;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  return (
    <Dialog
      title={props.title}
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
      <Problem heading={props.heading} advice={t('app.notLoadedAdvice')} technical={String(props.error)} />
    </Dialog>
  );
}
