import { appError } from '../foundation/app-error.ts';
import type { Log, PracticePort, RunningPractice } from '../foundation/ports.ts';

/** The practice service as the core uses it: started by the first use, closed when nothing used it for a while. */
export interface PracticeSupervisor {
  /** Null while it does not run. */
  running(): RunningPractice | null;
  /** Runs `work` with the service up; it stays up at least that long. Rejects with cancelled once closed. */
  use<T>(work: (practice: RunningPractice) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

interface Needs {
  readonly port: PracticePort;
  readonly dataDir: string;
  /** Without use before it is closed, in milliseconds. */
  readonly idleMs: number;
  /** Told its credentials, so that texts can be cleaned of them. */
  readonly learn: (secret: string) => void;
  readonly log: Log;
  /** It started or ended: its address changed. */
  readonly onChange: () => void;
}

export function createPracticeSupervisor({ port, dataDir, idleMs, learn, log, onChange }: Needs): PracticeSupervisor {
  let starting: Promise<RunningPractice> | null = null;
  let running: RunningPractice | null = null;
  // A new start waits for the end of the old one: both would write the same folder.
  let ending: Promise<void> = Promise.resolve();
  let users = 0;
  let closed = false;
  let idle: NodeJS.Timeout | undefined;

  const start = async () => {
    await ending;
    running = await port.start(dataDir).catch(startFailure);
    learn(running.apiKey);
    learn(running.apiSig);
    log.info('practice service started', {});
    onChange();
    return running;
  };

  const end = () => {
    const ended = starting;
    if (!ended) return;
    starting = null;
    ending = ended
      .then(async (practice) => {
        running = null;
        onChange();
        await practice.close();
        log.info('practice service ended', {});
      })
      .catch((error: unknown) => log.error('practice service did not end well', { error: nameOf(error) }));
  };

  return {
    running: () => running,
    use: async (work) => {
      if (closed) throw appError('cancelled', 'the program is closing');
      clearTimeout(idle);
      users += 1;
      try {
        starting ??= start();
        const mine = starting;
        // A start that failed is not kept: the next use tries again.
        const practice = await mine.catch((error: unknown) => {
          if (starting === mine) starting = null;
          throw error;
        });
        return await work(practice);
      } finally {
        users -= 1;
        if (users === 0 && !closed) {
          idle = setTimeout(end, idleMs);
          idle.unref();
        }
      }
    },
    close: async () => {
      closed = true;
      clearTimeout(idle);
      end();
      await ending;
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
