import { askWith, type Listen } from '../../contract/client.ts';
import type { Envelope, Failure } from '../../contract/failure.ts';
import type { FileToken } from '../../contract/files.ts';
import type { Ask, Bridge, CallInput, CallName, CallOutput } from '../../contract/index.ts';

/** What a host puts into the window: the bridge and the one function that turns a dropped file into a token. */
export interface WindowBridge extends Bridge {
  /** A file or folder that was dropped or pasted; bytes without a path (mail clients, the browser) are copied. */
  take(file: File): Promise<Envelope<FileToken>>;
}

declare global {
  interface Window {
    readonly bridge: WindowBridge;
  }
}

/** Asks the core. Never rejects. */
export const ask: Ask = (name, input) => askWith(window.bridge)(name, input);

const listeners = new Map<string, Set<(value: never) => void>>();

/** Listens to one event; answers the function that stops it. However many listen, the bridge is listened to once. */
export const listen: Listen = (name, listener) => {
  if (listeners.size === 0) window.bridge.onEvent(pass);
  const some = listeners.get(name) ?? new Set();
  // Wrapped, so that the same function given twice is two listeners with two ends.
  const told = (value: never) => listener(value);
  listeners.set(name, some.add(told));
  return () => void some.delete(told);
};

function pass(name: string, value: unknown): void {
  for (const told of [...(listeners.get(name) ?? [])]) told(value as never);
}

/** A Failure thrown inside the window, for the query library alone. */
export class Failed extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.note);
    this.name = 'Failed';
    this.failure = failure;
  }
}

/** Like `ask`, but rejects with Failed: the form that the query library wants. */
export async function askValue<N extends CallName>(name: N, input: CallInput<N>): Promise<CallOutput<N>> {
  const envelope = await ask(name, input);
  if (!envelope.ok) throw new Failed(envelope.failure);
  return envelope.value;
}

/** Turns one dropped file into a token. Never rejects. */
export async function takeFile(file: File): Promise<Envelope<FileToken>> {
  try {
    return await window.bridge.take(file);
  } catch {
    return { ok: false, failure: { code: 'bug', note: 'the bridge broke while taking a file', retryable: false } };
  }
}
