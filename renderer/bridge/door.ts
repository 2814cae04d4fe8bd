import { askWith, type Listen, listenWith } from '../../contract/client.ts';
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

/** Listens to one event; answers the function that stops it. */
export const listen: Listen = (name, listener) => listenWith(window.bridge)(name, listener);

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
