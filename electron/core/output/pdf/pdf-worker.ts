import { serveWorker } from '../../foundation/worker-channel.ts';
import type { PdfReportOptions, PdfStep } from './pdf-step.ts';
import { type PdfWriting, writePdf } from './pdf-writing.ts';

let writing: PdfWriting | undefined;

// The worker writes one PDF: nothing is drawn before `begin` or after `finish` and `discard`.
const actions = {
  /** `temporary`: path of the file that is written. */
  begin(temporary: string, options: PdfReportOptions): void {
    writing = writePdf(temporary, options);
  },
  async draw(steps: readonly PdfStep[]): Promise<void> {
    for (const step of steps) writing?.draw(step);
    await writing?.settle();
  },
  /** Completes the file. */
  async finish(): Promise<void> {
    await writing?.finish();
  },
  /** Removes the file. */
  async discard(): Promise<void> {
    await writing?.discard();
  },
};

export type PdfActions = typeof actions;

serveWorker(actions);
