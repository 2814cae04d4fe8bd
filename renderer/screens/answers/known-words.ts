import type { AnswersView, SortedWord, StatusGroup, WordVerdict } from '../../../contract/answers.ts';
import type { SharedValue } from '../../../contract/shared.ts';
import type { SharedOf } from '../../features/team/sharing.ts';

type SharedAnswerItem = SharedOf<'answer'>;

/** Whose meaning counts, and what the team shares about the same word or code. */
interface Known {
  readonly source: 'own' | 'team' | 'built-in';
  /** The person's own meaning as it would be shared; null if there is none. */
  readonly own: SharedValue | null;
  readonly shared: SharedAnswerItem | null;
}

export interface KnownWord extends Known {
  readonly word: string;
  readonly group: StatusGroup | WordVerdict;
  readonly meaning: string;
}

export interface KnownCode extends Known {
  readonly code: string;
  readonly meaning: string;
}

const keyOf = (text: string) => text.trim().toLowerCase();

/** The words of one kind with the meaning that counts on this connection: one's own, else the team's, else the built-in one. */
export function knownWords(
  kind: 'status' | 'verdict',
  { statuses, verdicts }: AnswersView,
  items: readonly SharedAnswerItem[],
): readonly KnownWord[] {
  const words: readonly SortedWord<StatusGroup | WordVerdict>[] = kind === 'status' ? statuses : verdicts;
  const shared = new Map(
    items.flatMap((item) => {
      const { answer } = item.value;
      return answer.kind === kind ? [[keyOf(answer.word), { item, answer }] as const] : [];
    }),
  );
  const own = words.filter(({ source }) => source === 'own');
  const isOwn = new Set(own.map(({ word }) => keyOf(word)));
  return [
    ...own.map(({ source, word, group, meaning }) => ({
      word,
      group,
      meaning,
      source,
      // The group of an own word is one of its kind.
      own: { kind: 'answer', answer: { kind, word, group, meaning } } as SharedValue,
      shared: shared.get(keyOf(word))?.item ?? null,
    })),
    ...[...shared].flatMap(([key, { item, answer }]) => {
      const { word, group, meaning } = answer;
      return isOwn.has(key) ? [] : [{ word, group, meaning, source: 'team' as const, own: null, shared: item }];
    }),
    ...words
      .filter(({ source, word }) => source === 'built-in' && !shared.has(keyOf(word)))
      .map((word) => ({ ...word, own: null, shared: null })),
  ];
}

/** The same for codes. */
export function knownCodes({ codes }: AnswersView, items: readonly SharedAnswerItem[]): readonly KnownCode[] {
  const shared = new Map(
    items.flatMap((item) => (item.value.answer.kind === 'code' ? [[item.value.answer.code, item] as const] : [])),
  );
  const ofTeam = (code: string, item: SharedAnswerItem): KnownCode => ({
    code,
    meaning: item.value.answer.meaning,
    source: 'team',
    own: null,
    shared: item,
  });
  const listed = codes.map(({ code, meaning, source }): KnownCode => {
    const item = shared.get(code) ?? null;
    if (source === 'own')
      return { code, meaning, source, own: { kind: 'answer', answer: { kind: 'code', code, meaning } }, shared: item };
    return item ? ofTeam(code, item) : { code, meaning, source, own: null, shared: null };
  });
  const isListed = new Set(codes.map(({ code }) => code));
  const more = [...shared].filter(([code]) => !isListed.has(code)).map(([code, item]) => ofTeam(code, item));
  return [...more, ...listed];
}
