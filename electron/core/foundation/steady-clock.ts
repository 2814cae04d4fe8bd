import { uptime } from 'node:os';

/**
 * Two clocks that nobody can set. `steadyMs` may stand still while the computer sleeps; `sinceBootMs` counts that time too, so that their distance grows by each
 * sleep. Only differences mean something.
 */
export type SteadyClock = () => { readonly steadyMs: number; readonly sinceBootMs: number };

export const steadyClock: SteadyClock = () => ({ steadyMs: performance.now(), sinceBootMs: uptime() * 1_000 });
