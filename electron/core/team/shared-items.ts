import { type SharedAnswer, type SharedItem, type SharedValue, sharedValue } from '../../../contract/shared.ts';
import type { TeamItem } from '../../store/team/team-items.ts';

/** Things that a team can share at the same time. */
export const mostItems = 1_000;

/** Two values with the same key are the same thing, wherever they were written. */
export function keyOf(value: SharedValue): string {
  switch (value.kind) {
    case 'template':
      return value.templateId;
    case 'preset':
      return value.name.toLowerCase();
    case 'view':
      return `${value.screen} ${value.name.toLowerCase()}`;
    case 'answer':
      return answerKey(value.answer);
  }
}

function answerKey(answer: SharedAnswer): string {
  return `${answer.kind} ${answer.kind === 'code' ? answer.code : answer.word.toLowerCase()}`;
}

/** What this version understands of the copies. The database is a border: another version, or another program, may have written there. */
export function sharedItems(copies: readonly TeamItem[]): SharedItem[] {
  return copies.flatMap(({ kind, key, value: text, person, computer, at }) => {
    const value = read(text);
    return value?.kind === kind && keyOf(value) === key ? [{ key, value, by: { person, computer }, at }] : [];
  });
}

function read(text: string): SharedValue | null {
  try {
    return sharedValue.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
