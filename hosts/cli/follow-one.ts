import type { Envelope } from '../../contract/failure.ts';
import type { Run } from './command.ts';
import { type ExitCode, exitCodeOfStart, worstOf } from './exit-code.ts';
import { watchJobs } from './follow-jobs.ts';
import type { Line } from './printer.ts';
import { reportFailure, reportJob } from './report.ts';
import type { Session } from './session.ts';

type Started = Envelope<{ readonly batchId: string; readonly jobId: string }>;

/** Starts one job and reports its end. */
export async function followOne(
  session: Session,
  { printer, interrupted }: Run,
  operation: Line['operation'],
  file: string | undefined,
  start: () => Promise<Started>,
): Promise<ExitCode> {
  const watch = watchJobs(session);
  try {
    const started = await start();
    if (!started.ok) {
      reportFailure(printer, { operation, file }, started.failure);
      return exitCodeOfStart(started.failure);
    }
    const codes: ExitCode[] = [];
    await watch.follow(started.value.batchId, 1, {
      interrupted,
      unsent: 'cancel',
      remark: printer.remark,
      onEnd: (ended) => codes.push(reportJob(printer, file, ended)),
    });
    return worstOf(codes);
  } finally {
    watch.stop();
  }
}
