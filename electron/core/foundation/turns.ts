import { setImmediate as nextTurn } from 'node:timers/promises';

/** Time in which long work may go on without other work of the process: well under a frame of 16 ms. */
const sliceMs = 6;

/** For long work to call after each small part: a promise to wait for when other work is due, else undefined. */
export function createTurns(): () => Promise<void> | undefined {
  let since = performance.now();
  const next = async () => {
    await nextTurn();
    since = performance.now();
  };
  return () => (performance.now() - since > sliceMs ? next() : undefined);
}
