/** A process as /proc tells it: its parent, when it began, ticks of its own and of its ended children. */
export interface SeenProcess {
  readonly parent: number;
  readonly started: number;
  readonly own: number;
  readonly ended: number;
}
export interface FileTime {
  readonly file: string;
  readonly seconds: number;
  /** Share of its time, from 0 to 1; null where it is not known. */
  readonly waited: number | null;
}
/** A program by number and start, with the key of the one below which it was seen; null for the first. */
type SeenPrograms = Map<string, { readonly below: string | null; readonly own: number; readonly ended: number }>;
export function follow(processes: ReadonlyMap<number, SeenProcess>, seen: SeenPrograms, top?: number): void;
export function usedBelow(seen: SeenPrograms, top: string | null): number;
export function watchPrograms(everyMs?: number): {
  secondsOf(pid: number): number | null;
  allSeconds(): number | null;
  others(): { readonly share: number; readonly isBusy: boolean };
  stop(): void;
};
export function findSlow(
  files: readonly FileTime[],
  reasons: Readonly<Record<string, readonly string[]>>,
  tolerance?: number,
  slowness?: number,
): { readonly file: string; readonly text: string }[];
export function undelayedSeconds(seconds: number, processorSeconds: number | null, delay: number): number;
export function waitedShare(seconds: number, processorSeconds: number | null): number | null;
