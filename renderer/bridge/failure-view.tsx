import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Failure } from '../../contract/failure.ts';
import { Button } from '../parts/button.tsx';
import { visibleName } from '../parts/format.ts';
import { Problem } from '../parts/problem.tsx';
import { failureText } from './failure-text.ts';

/** Shows a failure beside the control that caused it. `children`: buttons that help. */
export function FailureView(props: {
  readonly failure: Failure;
  readonly subject?: string;
  readonly calm?: boolean;
  /** Asks once more. */
  readonly onAgain?: () => void;
  readonly children?: ReactNode;
}) {
  const { t } = useTranslation();
  return (
    <Problem
      {...failureText(t, props.failure, props.subject === undefined ? undefined : visibleName(props.subject))}
      calm={props.calm ?? false}
    >
      {props.onAgain ? <Button onPress={props.onAgain}>{t('common.tryAgain')}</Button> : null}
      {props.children}
    </Problem>
  );
}
