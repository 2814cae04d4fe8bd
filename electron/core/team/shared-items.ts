import { type SharedAnswer, type SharedItem, type SharedValue, sharedValue } from '../../../contract/shared.ts';
import type { Store } from '../../store/store.ts';
import type { TeamItem } from '../../store/team/team-items.ts';
import { appError } from '../foundation/app-error.ts';
import { addEvents, changeTeam, type Joined } from './feed.ts';
import { largestItemBytes } from './rights.ts';

/** Things that a team can share at the same time. */
export const mostItems = 1_000;

/** Two values with the same key are the same thing, wherever they were written. */
function keyOf(value: SharedValue): string {
  switch (value.kind) {
    case 'template':
      return value.templateId;
    case 'preset':
      return value.name.toLowerCase();
    case 'view':
      return `${value.screen} ${value.name.toLowerCase()}`;
    case 'answer':
      return `${value.answer.kind} ${value.answer.kind === 'code' ? value.answer.code : value.answer.word.toLowerCase()}`;
  }
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

/** The setting that changes with each change of what the team of a connection shares. */
export const sharedVersion = (connectionId: string): string => `team.${connectionId}.shared`;

/** What the teams of the connections say that answers mean, from the copies on this computer: also while a register is away, and after leaving. */
export function sharedMeanings({ teamItems, settings }: Pick<Store, 'teamItems' | 'settings'>) {
  return {
    // Another program with this data folder may follow the team: what it wrote is seen by these.
    version: (connectionId: string): string =>
      `${settings.get(`team.${connectionId}`) ?? ''} ${settings.get(sharedVersion(connectionId)) ?? ''}`,
    answers: (connectionId: string): SharedAnswer[] =>
      sharedItems(teamItems.list(connectionId)).flatMap(({ value }) => (value.kind === 'answer' ? [value.answer] : [])),
  };
}

/**
 * Shares a value with the team under this name, or, without one, ends the sharing of the item with this kind and key. One statement: the item, its change, the event and the
 * notice to the others. What it replaces stays in the changes.
 */
export async function share(
  joined: Joined,
  name: string,
  given: SharedValue | (Pick<SharedItem, 'key'> & Pick<SharedValue, 'kind'>),
): Promise<void> {
  const isEnd = 'key' in given;
  const [key, text] = isEnd ? [given.key, null] : [keyOf(given), JSON.stringify(given)];
  if (Buffer.byteLength(text ?? '') > largestItemBytes)
    throw appError('bad-input', `what is shared must have at most ${largestItemBytes} bytes`);
  const made = await changeTeam(
    joined,
    'written',
    `written AS (
       INSERT INTO sealdesk.shared_items (team_id, kind, item_key, value, program_id)
       SELECT $1::uuid, $3::text, $4::text, $5::text, $2::uuid
       WHERE EXISTS (SELECT 1 FROM sealdesk.shared_items WHERE team_id = $1::uuid AND kind = $3 AND item_key = $4 AND value IS NOT NULL)
         OR $5::text IS NOT NULL AND (SELECT count(*) FROM sealdesk.shared_items WHERE team_id = $1::uuid AND value IS NOT NULL) < $6
       ON CONFLICT (team_id, kind, item_key) DO UPDATE SET value = excluded.value, program_id = excluded.program_id,
         changed_at = now() RETURNING 'item' AS kind, shared_items.kind || ' ' || item_key AS item
     ), recorded AS (
       INSERT INTO sealdesk.shared_changes (team_id, kind, item_key, value, program_id)
       SELECT $1::uuid, $3, $4, $5, $2::uuid FROM written
     ), told AS (${addEvents('$7', '$8', 'NULL', 'FROM written')})`,
    [given.kind, key, text, mostItems, isEnd ? 'unshared' : 'shared', name],
  );
  if (made.length === 0 && !isEnd) throw appError('bad-input', `the team shares ${mostItems} things already`);
}
