import { join, resolve } from 'node:path';
import { askWith, type Listen, listenWith } from '../../contract/client.ts';
import type { Connection } from '../../contract/connections.ts';
import type { Ask } from '../../contract/index.ts';
import type { JobState } from '../../contract/jobs.ts';
import type { Core } from '../../electron/core/core.ts';
import { createCore } from '../../electron/core/create-core.ts';
import type { Ports } from '../../electron/core/foundation/ports.ts';
import { createKeychain } from '../../electron/host-kit/keychain.ts';
import { borrowedKeychain } from '../ports/borrowed-keychain.ts';
import { environmentNetwork } from '../ports/environment-network.ts';
import { fileLog } from '../ports/file-log.ts';
import { practicePort } from '../ports/practice-port.ts';
import { systemLanguages } from '../ports/system-languages.ts';
import { checkConnectionOptions, chooseConnection } from './connection-choice.ts';
import { type DataFolder, dataFolderFor } from './data-folder.ts';
import { askHidden } from './prompt.ts';
import { UsageError } from './usage-error.ts';
import type { Values } from './values.ts';

/** The opened core and the connection of one command. */
export interface Session {
  readonly core: Core;
  readonly ask: Ask;
  readonly listen: Listen;
  readonly connection: Connection;
  /** Ids of jobs that were sent and whose end is not reported yet. */
  readonly underWay: Set<string>;
  close(): Promise<void>;
}

export interface SessionWish {
  readonly values: Values;
  readonly env: NodeJS.ProcessEnv;
  readonly needsCredentials: boolean;
  readonly underWay: Set<string>;
}

const assetsDir = resolve(import.meta.dirname, '../../assets');

/** Opens the core and finds connection and credentials. Throws a UsageError if these are missing or do not fit. */
export async function openSession({ values, env, needsCredentials, underWay }: SessionWish): Promise<Session> {
  checkConnectionOptions(values);
  const dataFolder = dataFolderFor(values);
  let core: Core | undefined;
  let settle: (() => Promise<void>) | undefined;
  const close = async () => {
    await settle?.();
    await core?.close();
    dataFolder.leave();
  };
  try {
    core = await openCore(dataFolder, env);
    const ask = askWith(core);
    const connection = await chooseConnection(ask, dataFolder, values);
    if (connection.kind === 'service') await giveCredentials(ask, connection, env, needsCredentials);
    const listen = listenWith(core);
    if (dataFolder.kind === 'address') settle = dismissEnded(ask, listen);
    return { core, ask, listen, connection, underWay, close };
  } catch (error) {
    await close();
    throw error;
  }
}

const overWithoutAdd: readonly JobState[] = ['refused', 'failed', 'cancelled'];

/**
 * In the ledger of the command line nobody returns to a job that was reported as refused, failed or cancelled, and its file still exists. Dismissing
 * these jobs removes their copies: as soon as they end, so that a large folder of duplicates does not fill the disk; and at the start, because an
 * earlier command may have been killed before. Jobs in doubt stay. Answers the function that ends this.
 */
function dismissEnded(ask: Ask, listen: Listen): () => Promise<void> {
  let dismissals = dismissAll(ask);
  const stop = listen('jobs.changed', ({ jobs }) => {
    const jobIds = jobs.filter(({ state }) => overWithoutAdd.includes(state)).map(({ id }) => id);
    if (jobIds.length > 0) dismissals = dismissals.then(() => ask('jobs.dismiss', { jobIds }));
  });
  return async () => {
    stop();
    await dismissals;
    await dismissAll(ask);
  };
}

async function dismissAll(ask: Ask): Promise<unknown> {
  for (let leftBefore = Number.POSITIVE_INFINITY; ; ) {
    const listed = await ask('jobs.list', { states: [...overWithoutAdd], limit: 500 });
    if (!listed.ok) return;
    const { jobs, total } = listed.value;
    // Where the ledger cannot be written, they stay until the next command.
    if (jobs.length === 0 || total >= leftBefore) return;
    leftBefore = total;
    await ask('jobs.dismiss', { jobIds: jobs.map(({ id }) => id) });
  }
}

function openCore(dataFolder: DataFolder, env: NodeJS.ProcessEnv): Promise<Core> {
  const nobody = async () => null;
  const nowhere = async () => undefined;
  const ports: Ports = {
    host: 'command-line',
    version: __VERSION__,
    dataDir: dataFolder.dataDir,
    assetsDir,
    keychain: borrowedKeychain(dataFolder.kind === 'saved' ? createKeychain() : undefined),
    dialogs: { chooseFiles: nobody, chooseTarget: nobody },
    desktop: { showInFolder: nowhere, openInBrowser: nowhere, openFile: nowhere },
    notifications: { show: () => undefined },
    network: environmentNetwork(env),
    systemLanguages,
    practice: practicePort(assetsDir, dataFolder.practiceDir),
    log: fileLog(join(dataFolder.dataDir, 'command-line.log')),
  };
  // Jobs that an earlier run left waiting are not sent by this command.
  return createCore(ports, { resumesQueue: false });
}

/** The environment takes precedence over the keychain: it is set for this run. */
async function giveCredentials(
  ask: Ask,
  connection: Connection,
  env: NodeJS.ProcessEnv,
  needed: boolean,
): Promise<void> {
  let apiKey = env.SEALDESK_API_KEY ?? '';
  let apiSig = env.SEALDESK_API_SIG ?? '';
  if (!apiKey !== !apiSig) {
    throw new UsageError(`${apiKey ? 'SEALDESK_API_SIG' : 'SEALDESK_API_KEY'} is missing: both are needed.`);
  }
  if (!apiKey) {
    if (!needed || connection.credentials === 'keychain') return;
    ({ apiKey, apiSig } = await typedIn(connection));
  }
  const kept = await ask('connections.setCredentials', { id: connection.id, apiKey, apiSig });
  if (!kept.ok) throw new UsageError(`The credentials cannot be used: ${kept.failure.note}`);
}

async function typedIn(connection: Connection): Promise<{ apiKey: string; apiSig: string }> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw new UsageError('There are no credentials. Set SEALDESK_API_KEY and SEALDESK_API_SIG.');
  }
  const apiKey = await askHidden(`API key for ${connection.name}: `);
  const apiSig = await askHidden('API signature: ');
  return { apiKey, apiSig };
}
