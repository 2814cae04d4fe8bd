import { describe, expect, it } from 'vitest';
import { type Countdown, type HeldConnection, type JobState, jobStates, type QueueState } from '../../contract/jobs.ts';
import { followWork } from '../../electron/shell/system/work-counts.ts';

const jobs = (some: Partial<Record<JobState, number>>, more: Partial<QueueState> = {}) => ({
  countdowns: [],
  held: [],
  backingOff: [],
  askingCount: 0,
  isPaused: false,
  ...more,
  counts: Object.fromEntries(jobStates.map((state) => [state, some[state] ?? 0])),
});
const none = { inCountdown: 0, waiting: 0 };
const task = (taskId: string, state = 'running') => ({ taskId, state });

/** A core whose answers can be kept back. */
function core(answers: Readonly<Record<string, unknown>>) {
  const listeners: ((name: string, value: unknown) => void)[] = [];
  let letGo: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  return {
    call: async (name: string) => {
      await held;
      return { ok: true as const, value: answers[name] };
    },
    onEvent: (listener: (name: string, value: unknown) => void) => {
      listeners.push(listener);
      return () => undefined;
    },
    emit: (name: string, value: unknown) => {
      for (const listener of listeners) listener(name, value);
    },
    letGo: async () => {
      letGo();
      for (let turn = 0; turn < 5; turn += 1) await held;
    },
  };
}

describe('the numbers in the tray', () => {
  const left = {
    'jobs.list': jobs({ waiting: 3, prepared: 1, done: 9 }),
    'tasks.list': [task('a'), task('b', 'done')],
  };

  it('are right at the start, when nothing has happened yet', async () => {
    const from = core(left);
    let changes = 0;
    const counts = followWork(from, () => {
      changes += 1;
    });
    expect(counts()).toEqual({ ...none, sending: 0, tasks: 0 });
    await from.letGo();
    expect(counts()).toEqual({ ...none, sending: 4, tasks: 1 });
    expect(changes).toBe(2);
  });

  it('are those of the latest event, also if it came before the first answer', async () => {
    const from = core(left);
    const counts = followWork(from, () => undefined);
    from.emit('jobs.changed', jobs({ sending: 1 }));
    from.emit('tasks.ended', task('a', 'done'));
    from.emit('tasks.started', task('c'));
    await from.letGo();
    expect(counts()).toEqual({ ...none, sending: 1, tasks: 1 });
    from.emit('tasks.ended', task('c', 'done'));
    from.emit('jobs.changed', jobs({ done: 1 }));
    expect(counts()).toEqual({ ...none, sending: 0, tasks: 0 });
  });

  it('say apart what can be taken back, and what waits for a person or its connection', async () => {
    const from = core(left);
    const counts = followWork(from, () => undefined);
    const countdown = (count: number, isStopped: boolean) => ({ count, isStopped }) as Countdown;
    const open = { waiting: 9, prepared: 3, sending: 2 };
    const countdowns = [countdown(4, false), countdown(1, true)];
    const held = [{ connectionId: 'office', openJobs: 3 } as HeldConnection];
    from.emit('jobs.changed', jobs(open, { countdowns, held, askingCount: 2 }));
    expect(counts()).toMatchObject({ sending: 2 + 2, inCountdown: 4, waiting: 6 });
    from.emit('jobs.changed', jobs(open, { countdowns, held, askingCount: 2, isPaused: true }));
    expect(counts()).toMatchObject({ sending: 2, inCountdown: 4, waiting: 8 });
    from.emit('jobs.changed', jobs({ waiting: 4 }, { countdowns: [countdown(4, false)] }));
    expect(counts()).toMatchObject({ sending: 0, inCountdown: 4, waiting: 0 });
  });
});
