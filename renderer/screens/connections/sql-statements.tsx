import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../parts/copy.tsx';
import looks from '../../parts/looks.module.css';
import css from './connections.module.css';

/** SQL for the database, to read and to copy. */
export function SqlStatements(props: { readonly statements: readonly string[] }) {
  const { t } = useTranslation();
  const text = props.statements.map((statement) => `${statement};`).join('\n\n');
  return (
    <section className={looks.stack3} aria-label={t('team.statements')}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard */}
      <pre className={css.statements} dir="ltr" tabIndex={0}>
        {text}
      </pre>
      <div>
        <CopyButton text={text} label={t('team.copyStatements')} />
      </div>
    </section>
  );
}
