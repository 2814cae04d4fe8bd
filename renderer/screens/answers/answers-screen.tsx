import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AnswersView } from '../../../contract/answers.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCurrentConnection } from '../../bridge/live.tsx';
import { useCall, useChooseFile } from '../../bridge/use-call.ts';
import { useForbidden } from '../../bridge/use-policy.ts';
import { meaningText } from '../../features/jobs/meaning-text.ts';
import { SortAnswer, type SortedThing } from '../../features/jobs/sort-answer.tsx';
import { useAnswersTable } from '../../features/signature-queries.ts';
import { type Sharing, useSharedItems, useSharing } from '../../features/team/sharing.ts';
import { ShareButtons, SharedBy, SharingState } from '../../features/team/sharing-parts.tsx';
import { useRemoval } from '../../features/undo.tsx';
import { Button } from '../../parts/button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Form, Segments, TextField } from '../../parts/field.tsx';
import looks from '../../parts/looks.module.css';
import { useKeptState } from '../../parts/navigation.tsx';
import { Card, Page } from '../../parts/page.tsx';
import { Fold } from '../../parts/problem.tsx';
import css from './answers.module.css';
import { type KnownCode, type KnownWord, knownCodes, knownWords } from './known-words.ts';

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

/** Negative codes and their meanings: own ones first, then those that the team shares, then built-in ones. */
function CodesCard(props: { readonly codes: readonly KnownCode[]; readonly sharing: Sharing }) {
  const { t } = useTranslation();
  const name = useCall('answers.nameCode');
  const [code, setCode] = useState('');
  const [meaning, setMeaning] = useState('');

  async function nameNow() {
    const named = await name.run({ code, meaning });
    if (!named.ok) return;
    setCode('');
    setMeaning('');
  }

  return (
    <Card title={t('answers.codes')}>
      <Form className={css.codeForm} onSubmit={() => void nameNow()}>
        <TextField label={t('answers.code')} value={code} onChange={setCode} mono error={name.failure?.fields?.code} />
        <TextField label={t('answers.meaning')} value={meaning} onChange={setMeaning} maxLength={500} />
        <Button type="submit" isDisabled={!/^-\d{1,10}$/.test(code)} isPending={name.busy}>
          {t('answers.nameCode')}
        </Button>
      </Form>
      <p className={looks.hint}>{t('answers.codesHelp')}</p>
      {name.failure && !name.failure.fields ? <FailureView failure={name.failure} /> : null}
      <Fold label={t('answers.codesCount', { count: props.codes.length })}>
        <table className={css.table}>
          <thead>
            <tr>
              <th>{t('answers.code')}</th>
              <th>{t('answers.meaning')}</th>
              <th>{t('answers.source')}</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {props.codes.map((one) => (
              <tr key={one.code}>
                <td>{one.code}</td>
                <td>{one.source === 'built-in' ? meaningText(t, one) : one.meaning}</td>
                <td>
                  {one.source === 'team' ? null : one.source === 'own' ? t('answers.own') : t('answers.builtIn')}
                  <SharedBy item={one.shared} />
                </td>
                <td className={css.end}>
                  {one.source === 'built-in' ? null : (
                    <ShareButtons sharing={props.sharing} own={one.own} shared={one.shared} />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Fold>
    </Card>
  );
}

/** Words with a meaning: built-in ones, those set here, and those that the team shares. */
function WordTable(props: {
  readonly kind: SortedThing['kind'];
  readonly words: readonly KnownWord[];
  readonly sharing: Sharing;
  readonly onSort: (thing: SortedThing) => void;
}) {
  const { kind } = props;
  const { t } = useTranslation();
  const unsort = useRemoval('answers.unsort');
  const words = props.words.map((one) =>
    one.source === 'own' ? one : { ...one, meaning: meaningText(t, { meaning: one.meaning }) },
  );
  return (
    <>
      {unsort.failure ? <FailureView failure={unsort.failure} /> : null}
      <table className={css.table}>
        <thead>
          <tr>
            <th>{t('answers.word')}</th>
            <th>{t('answers.group')}</th>
            <th>{t('answers.meaning')}</th>
            <th>{t('answers.source')}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {words.map((one) => (
            <WordRow
              key={one.word}
              one={one}
              sharing={props.sharing}
              onSort={() => props.onSort({ kind, word: one.word, group: one.group, meaning: one.meaning })}
              onUnsort={(quoted) =>
                void unsort.run({ kind, word: one.word }, quoted, t('common.changed', { name: quoted }))
              }
            />
          ))}
        </tbody>
      </table>
    </>
  );
}

function WordRow(props: {
  readonly one: KnownWord;
  readonly sharing: Sharing;
  readonly onSort: () => void;
  readonly onUnsort: (quoted: string) => void;
}) {
  const { one } = props;
  const { t } = useTranslation();
  const quoted = t('common.quote', { text: one.word });
  return (
    <tr>
      <td className={css.word}>{quoted}</td>
      <td>{t(`answers.groups.${one.group}`)}</td>
      <td>{one.meaning || '—'}</td>
      <td>
        {one.source === 'team' ? null : one.source === 'own' ? t('answers.own') : t('answers.builtIn')}
        <SharedBy item={one.shared} />
      </td>
      <td className={css.end}>
        <Button kind="quiet" of={one.word} onPress={props.onSort}>
          {t('answers.change')}
        </Button>
        {one.source === 'own' ? (
          <Button kind="quiet" of={one.word} onPress={() => props.onUnsort(quoted)}>
            {t('answers.takeBack')}
          </Button>
        ) : null}
        {one.source === 'built-in' ? null : <ShareButtons sharing={props.sharing} own={one.own} shared={one.shared} />}
      </td>
    </tr>
  );
}
