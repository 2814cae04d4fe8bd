import { type SharedKind, type SharedValue, sharedName } from '../../../contract/shared.ts';
import { appError } from '../foundation/app-error.ts';
import { type Change, thenFed } from './feed.ts';
import type { Joined } from './others-claims.ts';
import { largestItemBytes } from './rights.ts';
import { keyOf, mostItems } from './shared-items.ts';

/** Shares a value with the team. What it replaces stays in the changes. */
export async function share(joined: Joined, value: SharedValue): Promise<void> {
  const text = JSON.stringify(value);
  if (Buffer.byteLength(text) > largestItemBytes)
    throw appError('bad-input', `what is shared must have at most ${largestItemBytes} bytes`);
  if (!(await write(joined, { kind: value.kind, key: keyOf(value), name: sharedName(value), text })))
    throw appError('bad-input', `the team shares ${mostItems} things already`);
}

/** Ends the sharing of an item, which the others are told under this name. */
export async function unshare(joined: Joined, kind: SharedKind, key: string, name: string): Promise<void> {
  await write(joined, { kind, key, name, text: null });
}

interface Replacement {
  readonly kind: SharedKind;
  readonly key: string;
  readonly name: string;
  /** The value as JSON; null if it is no longer shared. */
  readonly text: string | null;
}

/** One statement: the item, its change, the event and the notice to the others. False if a new item would be one too many, or one to remove is not there. */
async function write({ database, member }: Joined, { kind, key, name, text }: Replacement): Promise<boolean> {
  const made = await database.query<Change>(
    `WITH written AS (
       INSERT INTO sealdesk.shared_items (team_id, kind, item_key, value, program_id)
       SELECT $1::uuid, $2::text, $3::text, $4::text, $5::uuid
       WHERE EXISTS (SELECT 1 FROM sealdesk.shared_items WHERE team_id = $1::uuid AND kind = $2 AND item_key = $3 AND value IS NOT NULL)
         OR $4::text IS NOT NULL AND (SELECT count(*) FROM sealdesk.shared_items WHERE team_id = $1::uuid AND value IS NOT NULL) < $6
       ON CONFLICT (team_id, kind, item_key) DO UPDATE SET value = excluded.value, program_id = excluded.program_id,
         changed_at = now() RETURNING 'item' AS kind, shared_items.kind || ' ' || item_key AS item
     ), recorded AS (
       INSERT INTO sealdesk.shared_changes (team_id, kind, item_key, value, program_id)
       SELECT $1::uuid, $2, $3, $4, $5::uuid FROM written
     ), told AS (
       INSERT INTO sealdesk.events (event_id, team_id, program_id, kind, title)
       SELECT gen_random_uuid()::text, $1::uuid, $5::uuid, $7, $8 FROM written
     ), ${thenFed('written')} SELECT position, mark, pg_notify('sealdesk', $1::text) FROM changed`,
    [member.teamId, kind, key, text, member.programId, mostItems, text === null ? 'unshared' : 'shared', name],
  );
  member.place?.saw(made);
  return made.length === 1;
}
