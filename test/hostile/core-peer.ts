import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { testPrograms } from '../harness/test-programs.ts';
import type { Question, SoapVersion } from './behaviour.ts';
import type { Figures } from './measured.ts';

/** A question for the core in the other process. Without `connectionId` it adds a connection first. */
export interface CoreRequest {
  readonly operation: Question;
  readonly name: string;
  readonly url: string;
  readonly soap: SoapVersion;
  readonly extraCa: string;
  readonly maxItems: number;
  readonly connectionId?: string;
  /** Adds the connection, or removes it, and asks nothing. */
  readonly only?: 'save' | 'remove';
  /** A document to send, and the path for one to fetch. */
  readonly file: string;
  readonly target: string;
}

export interface CoreResponse extends Figures {
  readonly connectionId: string;
  /** `ok`, or code and detail of the failure. */
  readonly outcome: string;
  /** The value or failure as the window gets it. */
  readonly text: string;
  /** Events and lines of the log meanwhile. */
  readonly told: string;
}

export interface CorePeer {
  ask(request: CoreRequest): Promise<CoreResponse>;
  /** Adds a connection that a command line can use. */
  save(request: CoreRequest): Promise<string>;
  remove(request: CoreRequest, connectionId: string): Promise<void>;
  stop(): Promise<void>;
  kill(): void;
}

/** Starts core-program.ts. A question that is not answered within `limitMs` rejects: the core hangs or has crashed. */
export async function startCorePeer(env: Readonly<Record<string, string>>, limitMs: number): Promise<CorePeer> {
  const pathOf = await testPrograms();
  const program = pathOf(fileURLToPath(new URL('core-program.ts', import.meta.url)));
  const child = fork(program, {
    execPath: process.execPath,
    execArgv: ['--expose-gc'],
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const next = <T>() =>
    new Promise<T>((resolve, reject) => {
      const late = setTimeout(() => settle(() => reject(new Error(`no word within ${limitMs} ms`))), limitMs);
      const gone = (code: number | null) => settle(() => reject(new Error(`the core ended with ${code}`)));
      const told = (message: unknown) => settle(() => resolve(message as T));
      const settle = (then: () => void) => {
        clearTimeout(late);
        child.off('exit', gone).off('message', told);
        then();
      };
      child.once('exit', gone).once('message', told);
    });
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  await next();
  const ask = (request: CoreRequest) => {
    const response = next<CoreResponse>();
    child.send(request);
    return response;
  };
  return {
    ask,
    save: async (request) => (await ask({ ...request, only: 'save' })).connectionId,
    remove: async (request, connectionId) => void (await ask({ ...request, connectionId, only: 'remove' })),
    kill,
    stop: () =>
      new Promise((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null) return resolve();
        child.once('exit', () => resolve());
        child.send('stop');
      }),
  };
}
