import { expect, it } from 'vitest';
import { openTeamDatabase } from '../../electron/core/team/database.ts';
import { followDocuments } from '../../electron/core/team/follow-documents.ts';
import type { NewDocument } from '../../electron/store/documents/documents.ts';
import { atEnd, until } from '../core/jobs-setup.ts';
import { newTeamRegister } from '../harness/postgres.ts';

const [author, follower] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];

it('misses no document although commits overtake each other, in whatever order they end', async (test) => {
  const postgres = await newTeamRegister(test);
  atEnd(() => postgres.close());
  const database = await openTeamDatabase(postgres.settings('bo'), '');
  atEnd(() => database.close());
  const [{ team_id: teamId = '' } = {}] = await database.query<{ team_id: string }>(
    'SELECT team_id FROM sealdesk.teams',
  );
  await database.query(
    "INSERT INTO sealdesk.programs (program_id, team_id, person, computer, version) VALUES ($1::uuid, $2::uuid, 'ana', 'desk', '1')",
    [author, teamId],
  );
  const insert = `INSERT INTO sealdesk.documents (team_id, document_id, program_id, name, description, client_id, signers, registered_at)
    VALUES ($1::uuid, $2, $3::uuid, $2, '', '', '', now())`;
  const stored: string[] = [];
  const position = new Map<string, string>();
  const follow = () =>
    followDocuments(database, {
      connectionId: 'office',
      member: { teamId, programId: follower },
      documents: {
        putAll: (documents: readonly NewDocument[]) =>
          void stored.push(...documents.map(({ documentId }) => documentId)),
      },
      settings: {
        get: (key) => position.get(key) ?? null,
        put: (key, value) => void position.set(key, value),
        remove: (key) => void position.delete(key),
      },
      onStored: () => undefined,
    });
  await database.transaction(async (early) => {
    await early(insert, [teamId, 'early', author]);
    // Begun later, committed first.
    await database.transaction(async (late) => void (await late(insert, [teamId, 'late', author])));
    await follow();
    // Not before the earlier one has ended: the position would have passed it.
    expect(stored).toEqual([]);
  });
  // A transaction of anybody else on the server holds it back as well.
  const followed = async (...expected: string[]) => {
    await until(async () => {
      await follow();
      return stored.length >= expected.length;
    });
    expect(stored).toEqual(expected);
  };
  await followed('early', 'late');
  await follow();
  expect(stored).toHaveLength(2);

  // One that is rolled back holds nothing back for ever.
  const failed = database.transaction(async (query) => {
    await query(insert, [teamId, 'never', author]);
    await database.query(insert, [teamId, 'next', author]);
    throw new Error('rolled back');
  });
  await expect(failed).rejects.toThrow('rolled back');
  await followed('early', 'late', 'next');
});
