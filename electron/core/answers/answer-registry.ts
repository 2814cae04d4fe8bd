import type { StatusGroup, VerdictGroup } from '../../../contract/answer.ts';
import type { AnswersView, SortedWord } from '../../../contract/answers.ts';
import { type AnswersTable, defaultAnswers, readStatus, readVerdict, type Wording } from '../../soap/answers.ts';
import type { AnswerWordTable, OwnCode, OwnWord, WordKind } from '../../store/answers/answer-words.ts';
import { wordKey } from '../../store/answers/answer-words.ts';

/** The table that gives raw answers their meaning: entries made by staff first, then the built-in ones. */
export interface AnswerRegistry {
  table(): AnswersTable;
  view(): AnswersView;
  /** As readStatus and readVerdict; a word without a meaning is also recorded for staff to sort. */
  status(raw: string | null, connectionId: string): ReturnType<typeof readStatus>;
  verdict(raw: string | null, connectionId: string): ReturnType<typeof readVerdict>;
  /** Adds or replaces all given entries, or none; returns how many are new. Stored statuses are read again. */
  put(words: readonly OwnWord[], codes: readonly OwnCode[]): number;
  unsort(kind: WordKind, word: string): void;
  removeCode(code: string): void;
  dismiss(kind: WordKind, word: string): void;
  /** Called when meanings changed, before `onChange`: stored answers are read again with the new table. */
  readonly onMeanings: Set<(table: AnswersTable) => void>;
  own(): { readonly words: readonly OwnWord[]; readonly codes: readonly OwnCode[] };
}

/** Longest word in characters. A longer text, or one of several lines, is shown as it came and not offered for sorting. */
const longestWord = 500;

/** `onChange` is called when meanings or unsorted words changed. */
export function createAnswerRegistry(store: AnswerWordTable, onChange: (view: AnswersView) => void): AnswerRegistry {
  let table: AnswersTable | null = null;
  const current = () => {
    table ??= tableOf(store.words(), store.codes());
    return table;
  };
  const onMeanings = new Set<(table: AnswersTable) => void>();
  const view = () => viewOf(store, current());
  const changed = () => {
    table = null;
    store.rereadStatuses((raw) => readStatus(raw, current()));
    for (const reread of onMeanings) reread(current());
    onChange(view());
  };
  const recordWord = (kind: WordKind, raw: string | null, connectionId: string) => {
    const word = (raw ?? '').trim();
    if (word === '' || word.length > longestWord || /[\r\n]/.test(word)) return;
    const isNew = !store.unsorted(kind).some((one) => wordKey(one.word) === wordKey(word));
    store.saw(kind, word, connectionId);
    if (isNew) onChange(view());
  };
  return {
    table: current,
    view,
    status: (raw, connectionId) => {
      const answer = readStatus(raw, current());
      if (answer.group === 'not-sorted') recordWord('status', raw, connectionId);
      return answer;
    },
    verdict: (raw, connectionId) => {
      const answer = readVerdict(raw, current());
      if (answer.group === 'unclear' && answer.kind !== 'code') recordWord('verdict', raw, connectionId);
      return answer;
    },
    put: (words, codes) => {
      const added = store.put(words, codes);
      changed();
      return added;
    },
    unsort: (kind, word) => {
      if (store.removeWord(kind, word)) changed();
    },
    removeCode: (code) => {
      store.removeCode(code);
      changed();
    },
    dismiss: (kind, word) => {
      store.dismissUnsorted(kind, word);
      onChange(view());
    },
    onMeanings,
    own: () => ({ words: store.words(), codes: store.codes() }),
  };
}

function tableOf(words: readonly OwnWord[], codes: readonly OwnCode[]): AnswersTable {
  return {
    // The first match counts: staff's entries before built-in ones.
    statuses: [...ownWords<StatusGroup>(words, 'status'), ...defaultAnswers.statuses],
    verdicts: [...ownWords<VerdictGroup>(words, 'verdict'), ...defaultAnswers.verdicts],
    codes: new Map([
      ...defaultAnswers.codes,
      ...codes.map(({ code, meaning }) => {
        const kind = defaultAnswers.codes.get(code)?.kind ?? 'open';
        return [code, { meaning, kind }] as const;
      }),
    ]),
  };
}

function ownWords<Group extends string>(words: readonly OwnWord[], kind: WordKind): Wording<Group>[] {
  return words
    .filter((word) => word.kind === kind)
    .map(({ word, group, meaning }) => ({ word, group: group as Group, meaning }));
}

function viewOf(store: AnswerWordTable, table: AnswersTable): AnswersView {
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
    unsorted: { statuses: store.unsorted('status'), verdicts: store.unsorted('verdict') },
  };
}
