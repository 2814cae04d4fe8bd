import { basename, join, resolve } from 'node:path';
import { askWith, type Listen, listenWith } from '../../contract/client.ts';
import type { AccessChange, Connection } from '../../contract/connections.ts';
import type { Ask } from '../../contract/index.ts';
import type { JobState } from '../../contract/jobs.ts';
import { mostWait } from '../../contract/settings.ts';
import type { Core } from '../../electron/core/core.ts';
import { knownFailure } from '../../electron/core/foundation/app-error.ts';
import { usualPauses } from '../../electron/core/foundation/pauses.ts';
import type { Ports } from '../../electron/core/foundation/ports.ts';
import { programDir } from '../../electron/host-kit/data-dir.ts';
import { createKeychain } from '../../electron/host-kit/keychain.ts';
import { createLogFile } from '../../electron/host-kit/log-file.ts';
import { systemPolicy } from '../../electron/host-kit/system-policy.ts';
import {
  borrowedKeychain,
  environmentLogin,
  environmentNetwork,
  practicePort,
  systemLanguages,
} from '../ports/node-ports.ts';
import { checkConnectionOptions, chooseConnection } from './arguments/connection-choice.ts';
import { isSet, numberOf, textOf, type Values } from './arguments/values.ts';
import { assetsDir, type DataFolder, dataFolderFor, installation } from './data-folder.ts';
import { UsageError } from './output/exit-code.ts';
import { failureText, nameOnLine, type Printer, startError } from './output/printer.ts';
import { t } from './output/texts.ts';

/** The opened core and the connection of one command. */
export interface Session {
  readonly core: Core;
  readonly ask: Ask;
  readonly listen: Listen;
  readonly connection: Connection;
  /** Ids of jobs that were sent and whose end is not reported yet. */
  readonly underWay: Set<string>;
  readonly storagePatienceMs: number | undefined;
  close(): Promise<void>;
}

export interface SessionWish {
  readonly values: Values;
  readonly env: NodeJS.ProcessEnv;
  readonly needsCredentials: boolean;
  /** True if the command changes what is kept for a saved connection: it may write to the keychain, and takes no secret from the environment into it. */
  readonly keepsSecrets?: boolean;
  /** Prints a remark about the options. */
  readonly remark: Printer['remark'];
  readonly underWay: Set<string>;
  /** How long jobs may wait for the program's own storage; ten seconds unless given. */
  readonly storagePatienceMs?: number | undefined;
}

/** Opens the core and finds connection and credentials. Throws a UsageError if these are missing or do not fit. */
export async function openSession({
  values,
  env,
  needsCredentials,
  keepsSecrets = false,
  remark,
  underWay,
  storagePatienceMs,
}: SessionWish): Promise<Session> {
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
    const waitBeforeSeconds = waitBefore(values);
    const ports = portsFor(dataFolder, env, { mayBeInClear: isSet(values, 'allow-http'), keepsSecrets });
    // Half of the program: help, the version and a wrong word do without it.
    const { createCore } = await import('../../electron/core/create-core.ts');
    // Jobs that an earlier run left waiting are not sent by this command. None puts back what was dismissed: nothing is kept for that.
    core = await createCore(ports, { resumesQueue: false, waitBeforeSeconds, pauses: { ...usualPauses, undoMs: 0 } });
    if (waitBeforeSeconds > 0) remark(t('results.sendsAfter', { seconds: waitBeforeSeconds }));
    const ask = askWith(core);
    const connection = await chooseConnection(ask, dataFolder, values, remark);
    if (connection.kind === 'service' && !keepsSecrets) {
      await giveAccess({ core, ask, connection, values, env });
      await giveCredentials(ask, connection, env, needsCredentials);
      // For what has joined a team: the keychain may not be there, or not give it.
      const password = env.SEALDESK_TEAM_PASSWORD;
      if (password) await ask('team.tryNow', { connectionId: connection.id, password });
    }
    const listen = listenWith(core);
    if (dataFolder.kind === 'address') settle = dismissEnded(ask, listen);
    return { core, ask, listen, connection, underWay, storagePatienceMs, close };
  } catch (error) {
    await close();
    throw error;
  }
}

const overWithoutAdd: readonly JobState[] = ['refused', 'failed', 'passed-over', 'cancelled'];

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

/** Seconds before what this command sends leaves. Throws a UsageError. */
function waitBefore(values: Values): number {
  const seconds = numberOf(values, 'wait-before') ?? 0;
  if (seconds < 0 || seconds > mostWait) throw new UsageError(t('errors.waitBefore', { most: mostWait }));
  return seconds;
}

/** What the command line gives to the core. */
export function portsFor(
  dataFolder: DataFolder,
  env: NodeJS.ProcessEnv,
  { mayBeInClear = false, keepsSecrets = false },
): Ports {
  const nobody = async () => null;
  const nowhere = async () => undefined;
  const logFile = join(dataFolder.dataDir, 'command-line.log');
  return {
    host: 'command-line',
    version: __VERSION__,
    installation,
    isSandboxed: true,
    hasTray: Promise.resolve(false),
    logFile,
    otherLogFiles: dataFolder.kind === 'saved' ? [join(programDir(), 'logs', 'sealdesk.log')] : [],
    dataDir: dataFolder.dataDir,
    assetsDir,
    licencesFile: resolve(import.meta.dirname, '../licences.json'),
    keychain: keepsSecrets
      ? createKeychain()
      : borrowedKeychain(dataFolder.kind === 'saved' ? createKeychain() : undefined),
    dialogs: { chooseFiles: nobody, chooseTarget: nobody, confirmInClear: async () => mayBeInClear },
    desktop: { showInFolder: nowhere, openInBrowser: nowhere, openFile: nowhere },
    notifications: { show: () => undefined },
    network: environmentNetwork(env),
    systemLanguages,
    practice: practicePort(assetsDir, dataFolder.practiceDir),
    policy: systemPolicy(),
    log: createLogFile(logFile),
  };
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
    throw new UsageError(t('errors.variableMissing', { name: apiKey ? 'SEALDESK_API_SIG' : 'SEALDESK_API_KEY' }));
  }
  if (!apiKey) {
    if (!needed || connection.credentials === 'keychain') return;
    if (!process.stdin.isTTY || !process.stderr.isTTY) throw new UsageError(t('errors.noCredentials'));
    apiKey = await askHidden(t('errors.apiKeyFor', { name: connection.name }));
    apiSig = await askHidden(t('errors.apiSignature'));
  }
  const kept = await ask('connections.setCredentials', { id: connection.id, apiKey, apiSig });
  if (kept.ok) return;
  throw startError(kept.failure, t('errors.credentialsUnusable', { why: failureText(kept.failure) }));
}

interface Given {
  readonly core: Core;
  readonly ask: Ask;
  readonly connection: Connection;
  readonly values: Values;
  readonly env: NodeJS.ProcessEnv;
}

/** Gives a connection its login at the proxy and its client certificate for this run. Throws a UsageError if these cannot be used. */
async function giveAccess(given: Given): Promise<void> {
  const { ask, connection, values, env } = given;
  const login = loginFor(connection, env);
  const files = ['client-cert', 'client-key'].flatMap((name) => textOf(values, name) ?? []);
  const change: AccessChange = {
    ...(login ? { proxyLogin: login } : {}),
    ...(files.length > 0
      ? {
          clientCertificate: {
            tokens: await tokensOf(given, files),
            password: env.SEALDESK_CLIENT_CERT_PASSWORD ?? '',
          },
        }
      : {}),
  };
  if (Object.keys(change).length === 0) return;
  const kept = await ask('connections.setAccess', { id: connection.id, ...change });
  if (kept.ok) return;
  const { failure } = kept;
  const fields = Object.keys(failure.fields ?? {});
  const [first = ''] = files;
  const file = nameOnLine(first);
  if (fields.includes('clientCertificate.password')) throw new UsageError(t('errors.clientCertPassword', { file }));
  if (fields.some((path) => path.startsWith('proxyLogin'))) throw new UsageError(t('errors.proxyLogin'));
  throw startError(failure, t('errors.clientCertUnusable', { file, why: failureText(failure) }));
}

/** The two variables, else user and password in the address of the proxy that the environment names. */
function loginFor({ proxy, baseUrl }: Connection, env: NodeJS.ProcessEnv): AccessChange['proxyLogin'] {
  const { SEALDESK_PROXY_USER: user = '', SEALDESK_PROXY_PASSWORD: password = '' } = env;
  if (user !== '') return { user, password };
  if (password !== '') throw new UsageError(t('errors.variableMissing', { name: 'SEALDESK_PROXY_USER' }));
  return proxy.mode === 'system' ? environmentLogin(env, baseUrl) : null;
}

async function tokensOf({ core }: Given, files: readonly string[]): Promise<string[]> {
  const tokens: string[] = [];
  for (const file of files) {
    try {
      tokens.push((await core.acceptPath(file)).token);
    } catch (error) {
      const why = failureText(knownFailure(error));
      throw new UsageError(t('errors.clientCertUnusable', { file: nameOnLine(basename(file)), why }));
    }
  }
  return tokens;
}

/** Asks on the terminal without showing the input. Rejects with a UsageError if there is no terminal or Ctrl-C was pressed. */
export async function askHidden(question: string): Promise<string> {
  const { stdin, stderr } = process;
  if (!stdin.isTTY || !stderr.isTTY) throw new UsageError(t('errors.noTerminal'));
  // Before the question, because earlier input would be shown.
  stdin.setRawMode(true);
  stderr.write(question);
  stdin.setEncoding('utf8');
  stdin.resume();
  try {
    return await readLine(stdin);
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    stderr.write('\n');
  }
}

function readLine(stdin: NodeJS.ReadStream): Promise<string> {
  return new Promise((resolve, reject) => {
    let typed = '';
    const onData = (text: string) => {
      for (const character of text) {
        if (character === '\r' || character === '\n') return done(() => resolve(typed));
        if (character === '\u0003' || character === '\u0004')
          return done(() => reject(new UsageError(t('errors.notTyped'))));
        if (character === '\u007f' || character === '\b') typed = typed.slice(0, -1);
        else if (character >= ' ') typed += character;
      }
    };
    const done = (settle: () => void) => {
      stdin.off('data', onData);
      settle();
    };
    stdin.on('data', onData);
  });
}
