import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Duplicate, DuplicateCheckTask } from '../../../contract/documents.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { TaskProgress } from '../../features/tasks/task-progress.tsx';
import { Button } from '../../parts/button.tsx';
import { Segments } from '../../parts/field.tsx';
import { useFormat } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { MiddleCut } from '../../parts/middle-cut.tsx';
import { useGo } from '../../parts/navigation.tsx';
import { Progress } from '../../parts/progress.tsx';
import { VirtualList } from '../../parts/virtual-list.tsx';
import css from './register.module.css';
import type { useDuplicates } from './use-duplicates.ts';

/** Files whose bytes are already registered: the progress of the check, and a choice for each file. Nothing is decided silently. */
export function DuplicatesPart(props: { readonly duplicates: ReturnType<typeof useDuplicates> }) {
  const { t } = useTranslation();
  const { connectionId, check, found, decisionOf, decideAll, decide, failure, isOver } = props.duplicates;
  const choices = [
    { key: 'skip', text: t('duplicates.skip') },
    { key: 'send', text: t('duplicates.send') },
  ] as const;
  if (failure) return <FailureView failure={failure} calm />;
  if (!check || !isOver) return <Checking check={check} />;
  const decisions = new Set(found.map((one) => decisionOf(one.index)));
  return (
    <div className={looks.stack3}>
      {check.state === 'done' ? null : <p>{t('duplicates.stopped')}</p>}
      {found.length === 0 && check.state === 'done' ? <p>{t('duplicates.none')}</p> : null}
      {found.length > 0 ? (
        <>
          <p role="status" className={css.duplicatesHeading}>
            {t('duplicates.heading', { count: found.length })}
          </p>
          {found.length > 1 ? (
            <Segments
              label={t('duplicates.all')}
              value={decisions.size > 1 ? 'mixed' : ([...decisions][0] ?? 'skip')}
              choices={choices}
              onChange={(decision) => (decision === 'mixed' ? undefined : decideAll(decision))}
            />
          ) : null}
          <div
            className={css.duplicateRows}
            style={{ blockSize: `calc(${Math.min(4, found.length) * 4.25}rem + 2px)` }}
          >
            <VirtualList
              label={t('duplicates.list')}
              items={found}
              total={found.length}
              rowHeight={68}
              keyOf={(one) => String(one.index)}
            >
              {(one) => (
                <DuplicateRow duplicate={one} connectionId={connectionId}>
                  <Segments
                    label={t('duplicates.each', { name: one.name })}
                    hideLabel
                    value={decisionOf(one.index)}
                    choices={choices}
                    onChange={(decision) => decide(one.index, decision)}
                  />
                </DuplicateRow>
              )}
            </VirtualList>
          </div>
        </>
      ) : null}
    </div>
  );
}

function Checking(props: { readonly check: DuplicateCheckTask | null }) {
  const { check } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const label = t('duplicates.checking');
  return (
    <div className={looks.stack3}>
      <p role="status">{label}</p>
      {check?.state === 'running' ? (
        <TaskProgress
          task={check}
          label={label}
          words={t('duplicates.checked', {
            read: format.number(check.progress.readFiles),
            total: format.number(check.progress.totalFiles),
            readBytes: format.bytes(check.progress.readBytes),
            totalBytes: format.bytes(check.progress.totalBytes),
          })}
          stop={t('duplicates.stopChecking')}
        />
      ) : (
        <Progress label={label} done={0} total={null} />
      )}
    </div>
  );
}

function DuplicateRow(props: {
  readonly duplicate: Duplicate;
  readonly connectionId: string;
  readonly children: ReactNode;
}) {
  const { name, folder, of } = props.duplicate;
  const { t } = useTranslation();
  const format = useFormat();
  const go = useGo();
  const documentId = of?.documentId;
  const when = of ? format.momentInText(of.at) : '';
  const words = !of
    ? t('duplicates.sameAs')
    : of.kind === 'document'
      ? of.by
        ? t('team.doneBy', { ...of.by, title: of.title, when })
        : t('duplicates.asDocument', { title: of.title, when })
      : t('duplicates.asJob', { title: of.title, when, state: t(`jobs.state.${of.state}`) });
  return (
    <div className={css.duplicate}>
      <div>
        <MiddleCut text={folder ? `${folder}/${name}` : name} />
        <small title={of ? format.fullMoment(of.at) : undefined}>{words}</small>
      </div>
      {documentId ? (
        <Button
          kind="quiet"
          aria-label={t('duplicates.openWhat', { title: of?.title ?? documentId })}
          onPress={() => go({ screen: 'documents', open: { connectionId: props.connectionId, documentId } })}
        >
          {t('duplicates.open')}
        </Button>
      ) : null}
      {props.children}
    </div>
  );
}
