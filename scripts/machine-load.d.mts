/** What others used of the processors: the share of all, from 0 to 1. */
export interface OthersLoad {
  readonly share: number;
  readonly isBusy: boolean;
}
export function slowness(program: string, starts?: number): number;
export function watchOthers(proc?: string): () => OthersLoad;
export function loadText(load: OthersLoad): string;
