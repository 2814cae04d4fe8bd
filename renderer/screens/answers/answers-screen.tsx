import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AnswersView } from '../../../contract/answers.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCurrentConnection } from '../../bridge/live.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { useChooseFile } from '../../bridge/use-choose-file.ts';
import { useForbidden } from '../../bridge/use-policy.ts';
import { SortAnswer, type SortedThing } from '../../features/jobs/sort-answer.tsx';
import { useRemoval } from '../../features/removal.ts';
import { useAnswersTable } from '../../features/signature-queries.ts';
import { useSharedItems, useSharing } from '../../features/team/sharing.ts';
import { SharingState } from '../../features/team/sharing-parts.tsx';
import { Button } from '../../parts/button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Segments } from '../../parts/field.tsx';
import looks from '../../parts/looks.module.css';
import { useKeptState } from '../../parts/navigation.tsx';
import { Card, Page } from '../../parts/page.tsx';
import css from './answers.module.css';
import { CodesCard } from './codes-card.tsx';
import { knownCodes, knownWords } from './known-words.ts';
import { WordTable } from './word-table.tsx';

/** The table of meanings for raw answers; new words get their meaning here once. */
export function AnswersScreen() {
  const { t } = useTranslation();
  const table = useAnswersTable();
  return (
    <Page title={t('answers.title')} lead={t('answers.lead')} actions={<FileActions view={table.data ?? null} />}>
      {table.error ? <FailureView failure={table.error.failure} onAgain={() => void table.refetch()} /> : null}
      {table.data ? <Tables view={table.data} /> : null}
    </Page>
  );
}

function FileActions(props: { readonly view: AnswersView | null }) {
  const { t } = useTranslation();
  const exported = useCall('answers.export');
  const unavailable = useForbidden('answers.export');
  const choose = useChooseFile('any');
  const imported = useCall('answers.import');
  const [said, setSaid] = useState<string | null>(null);
  const failure = exported.failure ?? choose.failure ?? imported.failure;

  async function importNow() {
    const file = await choose.choose();
    if (!file) return;
    const done = await imported.run({ token: file.token });
    if (done.ok) setSaid(t('answers.imported', done.value));
  }
  async function exportNow() {
    const done = await exported.run({});
    if (done.ok && done.value) setSaid(t('answers.exported', { count: done.value.count, name: done.value.fileName }));
  }

  return (
    <div className={`${looks.line} ${looks.small}`}>
      <Button isPending={imported.busy} onPress={() => void importNow()}>
        {t('answers.import')}
      </Button>
      <Button
        unavailable={unavailable}
        isDisabled={props.view === null}
        isPending={exported.busy}
        onPress={() => void exportNow()}
      >
        {t('answers.export')}
      </Button>
      {said ? <p role="status">{said}</p> : null}
      {failure ? <FailureView failure={failure} /> : null}
    </div>
  );
}

function Tables(props: { readonly view: AnswersView }) {
  const { view } = props;
  const { t } = useTranslation();
  const [kind, setKind] = useKeptState<SortedThing['kind']>('kind', 'status');
  const [sorting, setSorting] = useState<SortedThing | null>(null);
  const unsorted = kind === 'status' ? view.unsorted.statuses : view.unsorted.verdicts;
  const { id: connectionId } = useCurrentConnection();
  const shared = useSharedItems(connectionId, 'answer');
  const sharing = useSharing(connectionId, 'answer');
  return (
    <>
      <Segments
        hideLabel
        label={t('answers.kind')}
        value={kind}
        onChange={setKind}
        choices={[
          { key: 'status', text: t('answers.statuses') },
          { key: 'verdict', text: t('answers.verdicts') },
        ]}
      />
      <Card title={t('answers.unsorted')}>
        {unsorted.length === 0 ? (
          <Empty kind="done" heading={t('answers.allSorted')} text={t('answers.allSortedText')} />
        ) : (
          <Unsorted kind={kind} words={unsorted} onSort={setSorting} />
        )}
      </Card>
      <Card title={t('answers.known')}>
        <SharingState sharing={sharing} />
        <WordTable kind={kind} words={knownWords(kind, view, shared)} sharing={sharing} onSort={setSorting} />
      </Card>
      <CodesCard codes={knownCodes(view, shared)} sharing={sharing} />
      {sorting ? <SortAnswer thing={sorting} onClose={() => setSorting(null)} /> : null}
    </>
  );
}

function Unsorted(props: {
  readonly kind: SortedThing['kind'];
  readonly words: AnswersView['unsorted']['statuses'];
  readonly onSort: (thing: SortedThing) => void;
}) {
  const { t } = useTranslation();
  const dismiss = useRemoval('answers.dismiss');
  const { kind } = props;
  return (
    <ul className={looks.list} aria-label={t('answers.unsorted')}>
      {props.words.map(({ word, count, connectionId }) => (
        <li key={`${connectionId}-${word}`}>
          <span className={css.word}>{t('common.quote', { text: word })}</span>
          <span className={looks.hint}>{t('answers.seen', { count })}</span>
          <Button
            aria-label={`${t('answers.sort')} ${word}`}
            onPress={() => props.onSort({ kind, word, group: null, meaning: '' })}
          >
            {t('answers.sort')}
          </Button>
          <Button
            kind="quiet"
            of={word}
            onPress={() => void dismiss.run({ kind, word }, t('common.quote', { text: word }))}
          >
            {t('answers.dismiss')}
          </Button>
        </li>
      ))}
    </ul>
  );
}
