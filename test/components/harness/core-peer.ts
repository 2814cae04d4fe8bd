import type { Failure } from '../../../contract/failure.ts';
import { type CallName, calls, type EventName, type EventValue, type Handlers } from '../../../contract/index.ts';
import type { WindowBridge } from '../../../renderer/bridge/client.ts';

/** Calls of the contract with what they do here. */
export type Answers = Partial<Handlers>;

/** Rejects a call with a failure, as handlers of the core do. */
export class Refusal extends Error {
  readonly failure: Failure;

  constructor(failure: Omit<Failure, 'note' | 'retryable'> & Partial<Failure>) {
    super(failure.code);
    this.failure = { note: `refused by the test: ${failure.code}`, retryable: false, ...failure };
  }
}

/** The other side of the window's bridge, in the same page: it holds what comes to the contract, as the core does, and nothing is shared with the window. */
export interface CorePeer {
  /** Adds handlers; later ones take the place of earlier ones. */
  answer(more: Answers): void;
  /** Turns dropped files into tokens; without it each gets one of its own. */
  takes(take: WindowBridge['take']): void;
  /** Sends an event to the window. */
  send<N extends EventName>(name: N, value: EventValue<N>): void;
  /** Inputs of one call so far, as the core gets them. */
  asked<N extends CallName>(name: N): readonly Parameters<Handlers[N]>[0][];
  /** What the window asked that no test expected: calls without a handler, inputs that do not fit the contract. */
  readonly complaints: readonly string[];
  /** Forgets handlers and questions: the next test begins. */
  reset(): void;
}

/** Makes the one peer of this page, and puts its bridge where a host puts the real one. */
function openPeer(): CorePeer {
  const listeners = new Set<(name: string, value: unknown) => void>();
  let answers: Answers = {};
  let take: WindowBridge['take'] | null = null;
  let taken = 0;
  const questions: { readonly name: string; readonly input: unknown }[] = [];
  const complaints: string[] = [];
  const badInput = (note: string) => {
    complaints.push(note);
    return { ok: false, failure: { code: 'bad-input', note, retryable: false } } as const;
  };
  const bridge: WindowBridge = {
    async call(name, given) {
      if (!isCall(name)) return badInput(`${name} is no call of the contract`);
      // Across a wire nothing arrives but a copy.
      const parsed = calls[name].input.safeParse(structuredClone(given));
      if (!parsed.success) return badInput(`${name}: ${parsed.error.message}`);
      questions.push({ name, input: parsed.data });
      const handler = answers[name] as ((input: unknown) => Promise<unknown>) | undefined;
      if (!handler) return badInput(`${name} has no handler in this test`);
      try {
        return { ok: true, value: structuredClone(await handler(parsed.data)) };
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return { ok: false, failure: error.failure };
      }
    },
    onEvent(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async take(file) {
      if (take) return take(file);
      taken += 1;
      const token = `taken-${taken}`;
      return { ok: true, value: { token, source: `${file.name} ${file.size}`, name: file.name, isFolder: false } };
    },
  };
  Object.defineProperty(window, 'bridge', { value: bridge });
  return {
    answer: (more) => void Object.assign(answers, more),
    takes: (with_) => {
      take = with_;
    },
    send: (name, value) => {
      for (const listener of listeners) listener(name, structuredClone(value));
    },
    asked: (name) => questions.filter((one) => one.name === name).map(({ input }) => input as never),
    complaints,
    reset: () => {
      answers = {};
      take = null;
      questions.length = 0;
      complaints.length = 0;
    },
  };
}

function isCall(name: string): name is CallName {
  return Object.hasOwn(calls, name);
}

export const peer = openPeer();
