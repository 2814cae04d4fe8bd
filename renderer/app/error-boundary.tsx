import { Component, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../parts/button.tsx';
import { Problem } from '../parts/problem.tsx';
import css from './app.module.css';

/** Catches errors of a screen while it is rendered: the frame stays and the screen can be shown again. React needs a class for this. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, { readonly error: Error | null }> {
  override state: { readonly error: Error | null } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render() {
    const { error } = this.state;
    return error ? <Stopped error={error} again={() => this.setState({ error: null })} /> : this.props.children;
  }
}

function Stopped(props: { readonly error: Error; readonly again: () => void }) {
  const { t } = useTranslation();
  return (
    <div className={css.waiting}>
      <Problem
        heading={t('app.brokenHeading')}
        advice={t('app.brokenAdvice')}
        technical={`${props.error.name}: ${props.error.message}\n${props.error.stack ?? ''}`}
      >
        <Button onPress={props.again}>{t('app.showAgain')}</Button>
      </Problem>
    </div>
  );
}
