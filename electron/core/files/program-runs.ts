/** The programs that work on one data folder, by the id of their run: files that an ended run left behind may be removed. */
export interface ProgramRuns {
  /** This program's run. */
  readonly runId: string;
  /** True if that program is this one or still runs. */
  isAlive(runId: string): boolean;
}

/** True if a process of this computer has this id, also one of another account. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
