import { askWith, type Listen } from '../../contract/client.ts';
import type { Envelope, Failure } from '../../contract/failure.ts';
import type { FileToken } from '../../contract/files.ts';
import type { Ask, Bridge, CallInput, CallName, CallOutput } from '../../contract/index.ts';

/** The functions that a host provides to the window: the bridge, and one that turns a dropped file into a token. */
export interface WindowBridge extends Bridge {
  /** A file or folder that was dropped or pasted; bytes without a path (mail clients, the browser) are copied. */
  take(file: File): Promise<Envelope<FileToken>>;
}

declare global {
  interface Window {
    readonly bridge: WindowBridge;
  }
}

/** Makes a call to the core. Never rejects. */
export const ask: Ask = (name, input) => askWith(window.bridge)(name, input);

const listeners = new Map<string, Set<(value: never) => void>>();

/** Subscribes to one event; returns the function that ends the subscription. All subscriptions share one listener of the bridge. */
export const listen: Listen = (name, listener) => {
  if (listeners.size === 0) window.bridge.onEvent(pass);
  const some = listeners.get(name) ?? new Set();
  // Wrapped, so that the same function passed twice is two subscriptions.
  const registered = (value: never) => listener(value);
  listeners.set(name, some.add(registered));
  return () => void some.delete(registered);
};

function pass(name: string, value: unknown): void {
  for (const registered of [...(listeners.get(name) ?? [])]) registered(value as never);
}

/** A Failure thrown inside the window, for the query library only. */
export class Failed extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.note);
    this.name = 'Failed';
    this.failure = failure;
  }
}

/** As `ask`, but rejects with Failed, as the query library expects. */
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
