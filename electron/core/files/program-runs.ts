/** The programs that work on one data folder, by the id of their run: what one that is over left behind may be removed. */
export interface ProgramRuns {
  /** Of this program. */
  readonly runId: string;
  /** True where that program still runs (or is this one). */
  isAlive(runId: string): boolean;
}
