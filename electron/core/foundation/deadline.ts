import { setImmediate as nextTurn } from 'node:timers/promises';

/** A limit is counted in parts of at most this length, so that a standstill is noticed at any time within it. */
const partMs = 1_000;
/** A part that ends this much late means that the computer slept, or the process was stopped. */
const standstillMs = 500;
/** Turns of the event loop in which arrived bytes are read: the first reads the socket; a tunnel in TLS passes them on in the next ones. */
const turnsToRead = 4;

/** A limit on silence. */
export type Deadline = ReturnType<typeof startDeadline>;

/**
 * Calls `onPassed` once, after `ms` of silence during which this process was running. Node runs due timers before it
 * reads from sockets: after a sleep, the limit would otherwise pass although the answer has long arrived. So a standstill
 * restarts the limit (the peer needs time to send again, too), and readable bytes are read before the limit counts as passed.
 */
export function startDeadline(ms: number, onPassed: () => void) {
  const parts = Math.max(1, Math.ceil(ms / partMs));
  const eachMs = ms / parts;
  let partsLeft = parts;
  let touches = 0;
  let isOver = false;
  let dueAt = { steady: 0, wall: 0 };
  const expectNext = () => {
    // Both clocks: on some systems the steady clock stops while the computer sleeps.
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
    /** Restarts the time: call it when bytes arrived. */
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
