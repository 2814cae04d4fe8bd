import { appError } from '../foundation/app-error.ts';
import type { Log, PracticePort, RunningPractice } from '../foundation/ports.ts';

/** Starts the practice service at its first use and closes it after a time without use. */
export type PracticeSupervisor = ReturnType<typeof createPracticeSupervisor>;

interface Needs {
  readonly port: PracticePort;
  readonly dataDir: string;
  /** How long the service runs without use before it is closed, in milliseconds. */
  readonly idleMs: number;
  /** Called with the service's credentials, so that texts can be cleaned of them. */
  readonly learn: (secret: string) => void;
  readonly log: Log;
  /** Called when the service started or ended: its address changed. */
  readonly onChange: () => void;
}

/** Creates a supervisor; the practice service is not started yet. */
export function createPracticeSupervisor({ idleMs, ...needs }: Needs) {
  const service = createService(needs);
  let users = 0;
  let closed = false;
  let idle: NodeJS.Timeout | undefined;
  return {
    /** The running service; null while it does not run. */
    running: service.running,
    /**
     * Runs `work` with the service running; the service is not closed before `work` has ended. Rejects with cancelled
     * after `close`.
     */
    use: async <T>(work: (practice: RunningPractice) => Promise<T>): Promise<T> => {
      if (closed) throw appError('cancelled', 'the program is closing');
      clearTimeout(idle);
      users += 1;
      try {
        return await work(await service.start());
      } finally {
        users -= 1;
        if (users === 0 && !closed) {
          idle = setTimeout(() => void service.end(), idleMs);
          idle.unref();
        }
      }
    },
    close: async (): Promise<void> => {
      closed = true;
      clearTimeout(idle);
      await service.end();
    },
  };
}

/** Starts and ends the service, one run at a time, as often as needed. */
function createService({ port, dataDir, learn, log, onChange }: Omit<Needs, 'idleMs'>) {
  let starting: Promise<RunningPractice> | null = null;
  let running: RunningPractice | null = null;
  // A start waits for the end of the run before: both would write to the same folder.
  let ending: Promise<void> = Promise.resolve();

  const run = async () => {
    await ending;
    running = await port.start(dataDir).catch(startFailure);
    learn(running.apiKey);
    learn(running.apiSig);
    log.info('practice service started', {});
    onChange();
    return running;
  };

  return {
    running: () => running,
    /** Resolves with the running service; starts it if it does not run. */
    start: (): Promise<RunningPractice> => {
      starting ??= run();
      const mine = starting;
      // A failed start is not kept: the next use tries again.
      return mine.catch((error: unknown) => {
        if (starting === mine) starting = null;
        throw error;
      });
    },
    /** Resolves when the last run has ended. Never rejects. */
    end: (): Promise<void> => {
      const ended = starting;
      if (!ended) return ending;
      starting = null;
      ending = ended
        .then(async (practice) => {
          running = null;
          onChange();
          await practice.close();
          log.info('practice service ended', {});
        })
        .catch((error: unknown) => log.error('practice service did not end well', { error: nameOf(error) }));
      return ending;
    },
  };
}

function startFailure(error: unknown): never {
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    throw appError('service-unreachable', 'the port of the practice service is in use', { detail: 'port-in-use' });
  }
  throw error;
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
