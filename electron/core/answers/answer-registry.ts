import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { z } from 'zod';
import {
  type AnswersView,
  type SortedWord,
  type StatusGroup,
  statusGroups,
  type UnsortedWord,
  type WordVerdict,
  wordVerdicts,
} from '../../../contract/answers.ts';
import { lazyObject, type Removed } from '../../../contract/call.ts';
import type { HandlersOf } from '../../../contract/index.ts';
import type { SharedAnswer } from '../../../contract/shared.ts';
import { lineOf, xmlText } from '../../../contract/text.ts';
import { type AnswersTable, defaultAnswers, readStatus, readVerdict, type Wording } from '../../soap/reply/answers.ts';
import {
  type AnswerWordTable,
  type OwnCode,
  type OwnWord,
  type WordKind,
  wordKey,
} from '../../store/answers/answer-words.ts';
import type { KeyValueTable } from '../../store/settings/key-values.ts';
import { readJsonFile, writeJsonFile } from '../files/json-file.ts';
import type { FileRegistry } from '../files/local-file.ts';
import { chooseTarget } from '../files/target.ts';
import type { Ports } from '../foundation/ports.ts';
import type { Removals } from '../foundation/removals.ts';

/** The meanings for raw answers: those set by staff first, then those of the connection's team, then the built-in ones. */
export type AnswerRegistry = ReturnType<typeof createAnswerRegistry>;

/** What the teams of the connections say that answers mean. */
export interface TeamMeanings {
  /** Changes with the meanings; quick. */
  version(connectionId: string): string;
  answers(connectionId: string): readonly SharedAnswer[];
}

interface Needs {
  readonly words: AnswerWordTable;
  /** Says with which meanings of a team stored answers were read. */
  readonly marks: Pick<KeyValueTable, 'get' | 'put'>;
  readonly team: TeamMeanings;
  readonly removals: Removals;
  /** Called when meanings or unsorted words changed. */
  readonly onChange: (view: AnswersView) => void;
}

/** Longest word in characters. A longer text, or one of several lines, is shown as it came and not offered for sorting. */
const longestWord = 500;

const markOf = (connectionId: string) => `answers.read.${connectionId}`;
const digest = (answers: readonly SharedAnswer[]) =>
  answers.length === 0 ? '' : createHash('sha256').update(JSON.stringify(answers)).digest('hex');

export function createAnswerRegistry({ words: store, marks, team, removals, onChange }: Needs) {
  const [tables, followed] = [new Map<string, KnownTable>(), new Map<string, string>()];
  const current = (connectionId: string) => tableIn(tables, store, team, connectionId);
  const onMeanings = new Set<() => void>();
  const isKnown = (kind: WordKind, { word, connectionId }: UnsortedWord) => {
    const { statuses, verdicts } = current(connectionId);
    const words: readonly Wording<string>[] = kind === 'status' ? statuses : verdicts;
    return words.some((one) => wordKey(one.word) === wordKey(word));
  };
  const view = () => viewOf(store, (kind) => store.unsorted(kind).filter((word) => !isKnown(kind, word)));
  const changed = () => {
    tables.clear();
    store.rereadStatuses((raw, connectionId) => readStatus(raw, current(connectionId)));
    for (const reread of onMeanings) reread();
    onChange(view());
  };
  return {
    table: current,
    view,
    /** As readStatus and readVerdict, with these meanings. */
    status: (raw: string | null, connectionId: string) => readStatus(raw, current(connectionId)),
    verdict: (raw: string | null, connectionId: string) => readVerdict(raw, current(connectionId)),
    /** Records a word without a meaning, for staff to sort; nothing for any other answer. To be called where the answer is stored, and repeated with it: throws storage-busy. */
    saw: (kind: WordKind, raw: string | null, connectionId: string) => {
      const word = (raw ?? '').trim();
      if (word === '' || word.length > longestWord || /[\r\n]/.test(word)) return;
      if (!isUnsorted(kind, raw, current(connectionId))) return;
      const isNew = !store.unsorted(kind).some((one) => wordKey(one.word) === wordKey(word));
      store.saw(kind, word, connectionId);
      if (isNew) onChange(view());
    },
    /** Adds or replaces all given entries, or none; returns how many are new. Stored statuses are read again. */
    put: (words: readonly OwnWord[], codes: readonly OwnCode[]): number => {
      const added = store.put(words, codes);
      changed();
      return added;
    },
    unsort: (kind: WordKind, word: string): Removed => removals.keep(store.removeWord(kind, word), changed),
    removeCode: (code: string) => {
      store.removeCode(code);
      changed();
    },
    dismiss: (kind: WordKind, word: string) => removals.keep(store.dismissUnsorted(kind, word), () => onChange(view())),
    /** Reads stored answers again if the team of this connection shares other meanings than those that they were read with. */
    followTeam: (connectionId: string) => {
      const version = team.version(connectionId);
      if (followed.get(connectionId) === version) return;
      const read = digest(team.answers(connectionId));
      if (read !== (marks.get(markOf(connectionId)) ?? '')) {
        changed();
        // Afterwards: a program that ends in between reads them again.
        marks.put(markOf(connectionId), read);
      }
      followed.set(connectionId, version);
    },
    /** Called when meanings changed, before `onChange`: stored answers are read again. */
    onMeanings,
    own: () => ({ words: store.words(), codes: store.codes() }),
  };
}

interface KnownTable {
  readonly version: string;
  readonly table: AnswersTable;
}

/** The meanings for a connection, which are kept until those of its team change. */
function tableIn(tables: Map<string, KnownTable>, store: AnswerWordTable, team: TeamMeanings, connectionId: string) {
  const version = team.version(connectionId);
  const known = tables.get(connectionId);
  if (known?.version === version) return known.table;
  const table = tableOf(store.words(), store.codes(), team.answers(connectionId));
  tables.set(connectionId, { version, table });
  return table;
}

function isUnsorted(kind: WordKind, raw: string | null, table: AnswersTable): boolean {
  if (kind === 'status') return readStatus(raw, table).group === 'not-sorted';
  const verdict = readVerdict(raw, table);
  return verdict.group === 'unclear' && verdict.kind !== 'code';
}

/** The first match counts: staff's entries, then those of the team, then built-in ones. */
function tableOf(words: readonly OwnWord[], codes: readonly OwnCode[], shared: readonly SharedAnswer[]): AnswersTable {
  const sharedWords = shared.filter((answer) => answer.kind !== 'code');
  const sharedCodes = shared.filter((answer) => answer.kind === 'code');
  return {
    statuses: [
      ...wordsOf<StatusGroup>(words, 'status'),
      ...wordsOf<StatusGroup>(sharedWords, 'status'),
      ...defaultAnswers.statuses,
    ],
    verdicts: [
      ...wordsOf<WordVerdict>(words, 'verdict'),
      ...wordsOf<WordVerdict>(sharedWords, 'verdict'),
      ...defaultAnswers.verdicts,
    ],
    codes: new Map([
      ...defaultAnswers.codes,
      ...[...sharedCodes, ...codes].map(({ code, meaning }) => {
        const kind = defaultAnswers.codes.get(code)?.kind ?? 'open';
        return [code, { meaning, kind }] as const;
      }),
    ]),
  };
}

function wordsOf<Group extends string>(words: readonly OwnWord[], kind: WordKind): Wording<Group>[] {
  return words
    .filter((word) => word.kind === kind)
    .map(({ word, group, meaning }) => ({ word, group: group as Group, meaning }));
}

/** What counts for every connection; what a team shares is read with `team.shared`. */
function viewOf(store: AnswerWordTable, unsorted: (kind: WordKind) => UnsortedWord[]): AnswersView {
  const table = tableOf(store.words(), store.codes(), []);
  const own = new Set(store.words().map(({ kind, word }) => `${kind} ${wordKey(word)}`));
  const ownCodes = new Set(store.codes().map(({ code }) => code));
  const sorted = <Group extends string>(words: readonly Wording<Group>[], kind: WordKind): SortedWord<Group>[] => {
    const shownKeys = new Set<string>();
    return words.flatMap((word) => {
      const key = wordKey(word.word);
      if (shownKeys.has(key)) return [];
      shownKeys.add(key);
      return [{ ...word, source: own.has(`${kind} ${key}`) ? ('own' as const) : ('built-in' as const) }];
    });
  };
  return {
    statuses: sorted(table.statuses, 'status'),
    verdicts: sorted(table.verdicts, 'verdict'),
    codes: [...table.codes].map(([code, { meaning }]) => ({
      code,
      meaning,
      source: ownCodes.has(code) ? 'own' : 'built-in',
    })),
    unsorted: { statuses: unsorted('status'), verdicts: unsorted('verdict') },
  };
}

const meaning = xmlText(500).default('');

/** Form of an exported file: only the entries made by staff. */
const file = lazyObject(() => ({
  sealdesk: z.literal('answers'),
  version: z.literal(1),
  words: z
    .array(
      z.discriminatedUnion('kind', [
        z.strictObject({
          kind: z.literal('status'),
          word: lineOf(500),
          group: z.enum(statusGroups).exclude(['not-sorted']),
          meaning,
        }),
        z.strictObject({ kind: z.literal('verdict'), word: lineOf(500), group: wordVerdicts, meaning }),
      ]),
    )
    .max(5_000)
    .default([]),
  codes: z
    .array(z.strictObject({ code: z.string().regex(/^-\d{1,10}$/), meaning: lineOf(500) }))
    .max(5_000)
    .default([]),
}));

/** Calls about the table that gives raw answers their meaning. */
export function answerCalls(
  answers: AnswerRegistry,
  files: Pick<FileRegistry, 'file'>,
  dialogs: Ports['dialogs'],
): HandlersOf<'answers'> {
  return {
    'answers.table': async () => answers.view(),
    'answers.sort': async (word) => {
      answers.put([word], []);
      return answers.view();
    },
    'answers.unsort': async ({ kind, word }) => answers.unsort(kind, word),
    'answers.dismiss': async ({ kind, word }) => answers.dismiss(kind, word),
    'answers.nameCode': async ({ code, meaning }) => {
      if (meaning.trim() === '') answers.removeCode(code);
      else answers.put([], [{ code, meaning: meaning.trim() }]);
      return answers.view();
    },
    'answers.export': async () => {
      const target = await chooseTarget(dialogs, 'Sealdesk answers.json');
      if (target === null) return null;
      const { words, codes } = answers.own();
      const path = await writeJsonFile(target, { sealdesk: 'answers', version: 1, words, codes });
      return { fileName: basename(path), count: words.length + codes.length };
    },
    'answers.import': async ({ token }) => {
      const { words, codes } = await readJsonFile(await files.file(token), file);
      const added = answers.put(words, codes);
      return { added, changed: words.length + codes.length - added };
    },
  };
}
