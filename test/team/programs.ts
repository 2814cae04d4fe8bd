import type { TeamSettings } from '../../contract/team.ts';
import { connect, newCore } from '../core/jobs-setup.ts';
import { copied, runQueue, type Service } from '../faults/fault-runs.ts';
import type { RunningCore } from '../harness/core.ts';

/** A member's program that runs as a process of its own (program.ts) and can be killed. */
export interface Program {
  readonly connectionId: string;
  /** Starts it as a process. */
  start(): ReturnType<typeof runQueue>;
  /** Starts it in this process, for the person at it. Its own process has ended. */
  startHere(): Promise<RunningCore>;
}

/** Sets up a program that has joined the team and registers what appears in `folder`. */
export async function newProgram(service: Service, settings: TeamSettings, folder: string): Promise<Program> {
  const core = await newCore();
  const connectionId = await connect(core, service, {
    doubtLimit: 100,
    timeouts: { connectMs: 20_000, idleMs: 60_000, answerMs: 60_000 },
  });
  await core.must('team.join', { connectionId, settings, password: '' });
  const dataDir = await copied(core.dataDir);
  await core.stop();
  const { apiKey, apiSig } = service;
  const credentials = JSON.stringify({ apiKey, apiSig });
  const env = { DATA_DIR: dataDir, CONNECTION_ID: connectionId, CREDENTIALS: credentials, FOLDER: folder };
  const nothing = async () => undefined;
  return {
    connectionId,
    start: () => runQueue(env, '../team/program.ts'),
    startHere: () =>
      newCore({
        dataDir,
        keychain: { get: async (id) => (id === connectionId ? credentials : null), set: nothing, remove: nothing },
      }),
  };
}
