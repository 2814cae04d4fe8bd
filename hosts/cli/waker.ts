/** Lets one loop wait for an event, a time or an interruption. */
export interface Waker {
  /** Ends the current wait, or the next one if nothing waits. */
  wake(): void;
  /** Resolves at `wake`, after `ms`, or at the moment of the interruption. */
  wait(ms: number, interrupted: AbortSignal): Promise<void>;
}

export function createWaker(): Waker {
  let isAwake = false;
  let wakeUp: () => void = () => undefined;
  return {
    wake: () => {
      isAwake = true;
      wakeUp();
    },
    wait: (ms: number, interrupted: AbortSignal) =>
      new Promise<void>((resolve) => {
        const done = () => {
          clearTimeout(timer);
          interrupted.removeEventListener('abort', done);
          isAwake = false;
          wakeUp = () => undefined;
          resolve();
        };
        const timer = setTimeout(done, ms);
        if (isAwake) return done();
        wakeUp = done;
        interrupted.addEventListener('abort', done, { once: true });
      }),
  };
}
