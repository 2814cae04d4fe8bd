import { setImmediate as nextTurn } from 'node:timers/promises';

/** A limit is counted in parts of at most this length, so that a standstill is noticed wherever in it it falls. */
const partMs = 1_000;
/** A part that ends this much behind its time: the computer slept, or the process was stopped. */
const standstillMs = 500;
/** What has arrived is read in the first turn; a tunnel in TLS hands it on in the next. */
const turnsToRead = 4;

/** A limit on silence. */
export interface Deadline {
  /** Something came: the time begins anew. */
  touch(): void;
  end(): void;
}

/**
 * Calls `onPassed` once, after `ms` of silence in which this process could have heard something. node runs timers that are due before it
 * reads from sockets: after a sleep an answer that has long arrived would otherwise be thrown away by the limit for it. So a standstill
 * begins the limit anew (what the peer sends again after it needs its time, too), and before the limit has passed what is readable is read.
 */
export function startDeadline(ms: number, onPassed: () => void): Deadline {
  const parts = Math.max(1, Math.ceil(ms / partMs));
  const eachMs = ms / parts;
  let partsLeft = parts;
  let touches = 0;
  let isOver = false;
  let dueAt = { steady: 0, wall: 0 };
  const expectNext = () => {
    // The steady clock of some systems stands still while the computer sleeps.
    dueAt = { steady: performance.now() + eachMs, wall: Date.now() + eachMs };
  };
  const lateMs = () => Math.max(performance.now() - dueAt.steady, Date.now() - dueAt.wall);
  const onPart = () => {
    partsLeft = lateMs() > standstillMs ? parts : partsLeft - 1;
    if (partsLeft <= 0) return void readThenPass();
    expectNext();
    timer.refresh();
  };
  const readThenPass = async () => {
    const before = touches;
    for (let turn = 0; turn < turnsToRead; turn++) {
      await nextTurn();
      if (isOver || touches !== before) return;
    }
    isOver = true;
    onPassed();
  };
  expectNext();
  const timer = setTimeout(onPart, eachMs);
  return {
    touch() {
      if (isOver) return;
      touches += 1;
      partsLeft = parts;
      expectNext();
      timer.refresh();
    },
    end() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
