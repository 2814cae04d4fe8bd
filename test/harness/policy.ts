import type { PolicySource } from '../../electron/core/foundation/ports.ts';
import { broken } from '../../electron/host-kit/policy-file.ts';

/** A policy that a test writes, as an administrator does: `set` publishes the new one. */
export interface WrittenPolicy extends PolicySource {
  /** Null: the policy goes. An error text: it cannot be read any more. */
  set(next: Readonly<Record<string, unknown>> | null | string): void;
}

export function writtenPolicy(first: Readonly<Record<string, unknown>> | null | string = null): WrittenPolicy {
  let current = first;
  const listeners = new Set<() => void>();
  return {
    name: '/etc/sealdesk/policy.json',
    read: async () => {
      if (typeof current === 'string') throw broken(current);
      return current;
    },
    watch: (onChange) => {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
    set: (next) => {
      current = next;
      for (const listener of listeners) listener();
    },
  };
}
