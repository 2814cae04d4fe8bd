import { useTranslation } from 'react-i18next';
import type { VerdictGroup } from '../../../contract/answers.ts';
import type { FileVerdict } from '../../../contract/pdf-signatures.ts';
import type { VerifyRun } from '../../../contract/verify.ts';
import type { FileChange } from '../../../contract/verify-result.ts';
import { Chip, Counters } from '../../parts/chip.tsx';
import looks from '../../parts/looks.module.css';
import { Progress } from '../../parts/progress.tsx';
import { ownByNeed, ownTones } from './result-texts.ts';
import { changesByNeed, changeTones, verdictsByNeed, verdictTones } from './verdict-tones.ts';

/** The counters of a run; each filters. For an audit a row counts the changes, and if files are signed another one what they themselves prove. */
export function RunCounters(props: {
  /** Of the run, or of what a search leaves of it. */
  readonly counted: Pick<VerifyRun, 'counts' | 'changes'>;
  readonly group: VerdictGroup | null;
  readonly change: FileChange | null;
  readonly onGroup: (group: VerdictGroup | null) => void;
  readonly onChange: (change: FileChange | null) => void;
  readonly ownCounts: Readonly<Partial<Record<FileVerdict, number>>>;
  readonly own: FileVerdict | null;
  readonly onOwn: (own: FileVerdict | null) => void;
}) {
  const { t } = useTranslation();
  const { counts, changes } = props.counted;
  const { ownCounts, own } = props;
  const ownShown = ownByNeed.filter((key) => (ownCounts[key] ?? 0) > 0 || key === own);
  return (
    <div className={looks.stack}>
      <Counters
        label={t('verify.filter')}
        selected={props.group}
        onSelect={props.onGroup}
        counters={verdictsByNeed
          .filter((key) => counts[key] > 0 || key === props.group)
          .map((key) => ({ key, ...verdictTones[key], text: t(`verify.counter.${key}`, { count: counts[key] }) }))}
      />
      {changes ? (
        <Counters
          label={t('verify.filterChange')}
          selected={props.change}
          onSelect={props.onChange}
          counters={changesByNeed
            .filter((key) => changes[key] > 0 || key === props.change)
            .map((key) => ({ key, ...changeTones[key], text: t(`verify.change.${key}`, { count: changes[key] }) }))}
        />
      ) : null}
      {ownShown.length > 0 ? (
        <Counters
          label={t('own.filter')}
          selected={own}
          onSelect={props.onOwn}
          counters={ownShown.map((key) => ({
            key,
            ...ownTones[key],
            text: t(`own.counter.${key}`, { count: ownCounts[key] ?? 0 }),
          }))}
        />
      ) : null}
    </div>
  );
}

/** The progress of a run that is going on, in this or another program; otherwise nothing. */
export function RunProgress(props: { readonly run: VerifyRun }) {
  const { t } = useTranslation();
  const { state, answered, looked, listing, total } = props.run;
  return state === 'running' ? (
    <Progress label={t('verify.progress')} done={answered + looked} total={listing ? null : total} />
  ) : null;
}

/** The counters as plain chips, for lists of runs. `changes`: only changes, for a watched folder. */
export function RunChips(props: { readonly run: VerifyRun; readonly changes?: boolean }) {
  const { t } = useTranslation();
  const { counts, changes } = props.run;
  return (
    <span className={looks.line}>
      {verdictsByNeed
        .filter((key) => counts[key] > 0)
        .map((key) => (
          <Chip key={key} {...verdictTones[key]}>
            {t(`verify.counter.${key}`, { count: counts[key] })}
          </Chip>
        ))}
      {props.changes && changes
        ? changesByNeed
            .filter((key) => changes[key] > 0 && key !== 'unchanged')
            .map((key) => (
              <Chip key={key} {...changeTones[key]}>
                {t(`verify.change.${key}`, { count: changes[key] })}
              </Chip>
            ))
        : null}
    </span>
  );
}
