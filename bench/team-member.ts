import type { RunningCore } from '../test/harness/core.ts';
import type { Postgres } from '../test/harness/postgres.ts';
import type { RunningPractice } from '../test/harness/practice.ts';

/** Connects a program to the service, and to the team's register if there is one; returns the connection's id. */
export async function connected(
  core: RunningCore,
  service: RunningPractice,
  postgres: Postgres | null,
  person: string,
): Promise<string> {
  const { baseUrl, mainPath, easySignPath, namespaceUri, apiKey, apiSig } = service;
  const address = { baseUrl, mainPath, easySignPath, namespaceUri, proxy: { mode: 'none' as const } };
  const { id } = await core.must('connections.save', { settings: { name: 'Service', ...address } });
  await core.must('connections.setCredentials', { id, apiKey, apiSig });
  if (postgres)
    await core.must('team.join', { connectionId: id, settings: postgres.settings('bo', { person }), password: '' });
  return id;
}

/** The number of documents that a program has of its own and of colleagues. */
export const totalOf = async (core: RunningCore, connectionId: string): Promise<number> =>
  (await core.must('documents.list', { connectionId, filters: { by: 'everyone' }, limit: 1 })).total;
