import type { Envelope } from '../../../contract/failure.ts';
import type { Job } from '../../../contract/jobs.ts';
import type { Run } from '../command.ts';
import { type ExitCode, exitCodes, worstOf } from '../output/exit-code.ts';
import { lineText } from '../output/printer.ts';
import { reportFailure } from '../output/report.ts';
import { t } from '../output/texts.ts';
import type { Session } from '../session.ts';
import { followLedgerJobs } from './follow-jobs.ts';
import { idsOf, named } from './select-jobs.ts';

/** The operation in the results of `sealdesk-cli jobs`. */
export const operation = 'jobs';

/** Takes over the jobs that no running program works on, lets them be sent and reports the end of each. */
export async function sendAndFollow(session: Session, run: Run, jobs: readonly Job[]): Promise<ExitCode> {
  if (jobs.length === 0) return nothing(run.printer.remark);
  return followLedgerJobs(session, run, () => named(session, idsOf(jobs)));
}

/** Applies one action to each job and prints a line for each. */
export async function forEachJob(
  jobs: readonly Job[],
  { printer }: Run,
  done: string,
  work: (job: Job) => Promise<Envelope<null>>,
): Promise<ExitCode> {
  if (jobs.length === 0) return nothing(printer.remark);
  const codes: ExitCode[] = [];
  for (const job of jobs) {
    const answer = await work(job);
    if (!answer.ok) {
      codes.push(reportFailure(printer, { operation, file: job.title }, answer.failure));
      continue;
    }
    printer.result(
      { operation, ok: true, raw: null, details: { jobId: job.id }, file: job.title },
      lineText(job.title, done),
    );
  }
  return worstOf(codes);
}

function nothing(remark: (text: string) => void): ExitCode {
  remark(t('results.jobs.none'));
  return exitCodes.fine;
}
