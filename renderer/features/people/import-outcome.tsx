import { useTranslation } from 'react-i18next';
import type { PeopleImport } from '../../../contract/people.ts';
import { useFormat } from '../../parts/format.ts';
import { visibleName } from '../../parts/visible-name.ts';
import css from './address-book.module.css';

/** How many people came from a file, and the lines that were left out. */
export function ImportOutcome(props: { readonly outcome: PeopleImport }) {
  const { fileName, added, changed, known, problems, problemCount } = props.outcome;
  const { t } = useTranslation();
  const format = useFormat();
  const parts = [
    t('people.added', { count: added, shown: format.number(added) }),
    changed > 0 ? t('people.changed', { count: changed, shown: format.number(changed) }) : null,
    known > 0 ? t('people.known', { count: known, shown: format.number(known) }) : null,
  ].filter((part) => part !== null);
  return (
    <div role="status">
      <p>{t('people.outcome', { name: visibleName(fileName), counts: format.list(parts) })}</p>
      {problemCount > 0 ? (
        <>
          <p>{t('people.leftOut', { count: problemCount, shown: format.number(problemCount) })}</p>
          <ul className={css.problems}>
            {problems.map(({ line, reason }) => (
              <li key={`${line} ${reason}`}>
                {t('people.problemAt', { line, problem: t(`people.problem.${reason}`) })}
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </div>
  );
}
