import type { OperationName } from './interface.ts';

/** A kind of misbehaviour. A "taken" add is registered, charged and counted although its answer is bad. */
export type FaultRule =
  /** Carries the operation out and waits before the answer. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** Closes the connection after this many bytes of the request's body (default 0). Nothing is taken. */
  | { readonly kind: 'drop-before'; readonly afterBytes?: number }
  /** Takes the request and closes the connection without a byte of an answer. */
  | { readonly kind: 'drop-after' }
  /** Takes the request and closes the connection in the middle of the answer's body. */
  | { readonly kind: 'drop-in-answer' }
  /** A SOAP fault, HTTP 500: about the service itself (Server) by default, or about the request (Client). */
  | { readonly kind: 'fault'; readonly code?: string; readonly text?: string; readonly taken?: boolean }
  /** An HTML page like that of a proxy or captive portal; default status 200. */
  | { readonly kind: 'html'; readonly status?: number; readonly taken?: boolean }
  /** Bytes that are not XML, with the right Content-Type. */
  | { readonly kind: 'garbage'; readonly taken?: boolean }
  /** Takes the request; a complete HTTP message whose XML ends in the middle. */
  | { readonly kind: 'truncated' }
  /** Takes the request and answers slowly. Default 64 bytes every 50 ms. */
  | { readonly kind: 'slow'; readonly bytes?: number; readonly everyMs?: number }
  /** Answers before the body is read, without 100 Continue. Nothing is taken. 302 points to another host. */
  | { readonly kind: 'early'; readonly status: 302 | 401 | 413 }
  /** Any text as the result, such as `-999` or an unknown status word; null omits the result. */
  | { readonly kind: 'answer'; readonly text: string | null; readonly taken?: boolean };

/** A rule: when the service misbehaves, and how. Without `operation`, `every` and `times` it applies to every request. */
export interface FaultInjector {
  readonly mischief: FaultRule;
  /** Only this operation. A SOAP 1.2 request without action parameter names it only in its body, so `early` then follows the first bytes. */
  readonly operation?: OperationName;
  /** Every n-th matching request: 3 is the third, sixth, … */
  readonly every?: number;
  /** Applies this many times. */
  readonly times?: number;
}

/** Chooses the misbehaviour for each request. */
export interface Mischiefs {
  /** True if `next` needs the operation. */
  readonly dependOnOperation: boolean;
  /** Call once for each request. */
  next(operation: OperationName | null): FaultRule | null;
}

export function mischiefsOf(rules: FaultInjector | readonly FaultInjector[] | null | undefined): Mischiefs {
  const list = [rules ?? []].flat() as readonly FaultInjector[];
  const counts = list.map(() => ({ matched: 0, done: 0 }));
  return {
    dependOnOperation: list.some((rule) => rule.operation !== undefined),
    next(operation) {
      for (const [at, rule] of list.entries()) {
        const count = counts[at];
        if (!count || (rule.operation !== undefined && rule.operation !== operation)) continue;
        if (rule.times !== undefined && count.done >= rule.times) continue;
        count.matched++;
        if (count.matched % (rule.every ?? 1) !== 0) continue;
        count.done++;
        return rule.mischief;
      }
      return null;
    },
  };
}
