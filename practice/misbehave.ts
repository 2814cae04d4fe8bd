import type { OperationName } from './interface.ts';

/** What the service does wrong. An add that is "taken" is registered, charged and counted although its answer is bad. */
export type Mischief =
  /** Waits before the answer; the operation is carried out first. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** Closes the connection after so many bytes of the request's body (default 0). Nothing is taken. */
  | { readonly kind: 'drop-before'; readonly afterBytes?: number }
  /** Takes the request and closes the connection without a byte of an answer. */
  | { readonly kind: 'drop-after' }
  /** Takes the request and closes the connection in the middle of the answer's body. */
  | { readonly kind: 'drop-in-answer' }
  /** A SOAP fault, HTTP 500. */
  | { readonly kind: 'fault'; readonly text?: string; readonly taken?: boolean }
  /** An HTML page as a proxy or captive portal sends it; status 200 if not given. */
  | { readonly kind: 'html'; readonly status?: number; readonly taken?: boolean }
  /** Bytes that are no XML under the right Content-Type. */
  | { readonly kind: 'garbage'; readonly taken?: boolean }
  /** Takes the request; a complete HTTP message whose XML ends in the middle. */
  | { readonly kind: 'truncated' }
  /** Takes the request; the answer trickles. Default 64 bytes every 50 ms. */
  | { readonly kind: 'slow'; readonly bytes?: number; readonly everyMs?: number }
  /** Answers before the body was read, without 100 Continue. Nothing is taken. 302 points to another host. */
  | { readonly kind: 'early'; readonly status: 302 | 401 | 413 }
  /** Any text as the result, such as `-999` or a status word nobody knows; null leaves the result out. */
  | { readonly kind: 'answer'; readonly text: string | null; readonly taken?: boolean };

/** When the service misbehaves, and how. Without `operation`, `every` and `times`: at every request. */
export interface Misbehave {
  readonly mischief: Mischief;
  /** Only this operation. A SOAP 1.2 request without action parameter shows it in its body alone, so `early` then comes after the first bytes. */
  readonly operation?: OperationName;
  /** Every n-th matching request: 3 is the third, sixth, … */
  readonly every?: number;
  /** So often, then never again. 1 is once. */
  readonly times?: number;
}

/** Says for each request what to do wrong with it. */
export interface Mischiefs {
  /** Whether the operation has to be known before `next` can say anything. */
  readonly dependOnOperation: boolean;
  /** To be asked once for each request. */
  next(operation: OperationName | null): Mischief | null;
}

export function mischiefsOf(rules: Misbehave | readonly Misbehave[] | null | undefined): Mischiefs {
  const list = [rules ?? []].flat() as readonly Misbehave[];
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
