import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { answerSaveDialog, removeHomes, startDesktop } from '../../test/harness/electron.ts';
import { doMainJob } from './main-job.mjs';

/* node report-check.mjs: does the packaged program that SEALDESK_PACKAGED names find the thread that writes its PDFs? It takes --inspect. Needs a display. */

const { app, page, home, quit } = await startDesktop();
const target = join(home, 'report.pdf');
try {
  await doMainJob(page);
  await answerSaveDialog(app, target);
  await page.evaluate(async () => {
    const ask = async (name, input) => {
      const answer = await window.bridge.call(name, input);
      if (!answer.ok) throw new Error(`${name}: ${answer.failure.code} ${answer.failure.note}`);
      return answer.value;
    };
    const { runs } = await ask('verify.runs', {});
    await ask('verify.saveReport', { runId: runs[0].runId, format: 'pdf' });
  });
  // It is there only when it is whole.
  for (const end = Date.now() + 30_000; !existsSync(target); ) {
    if (Date.now() > end) throw new Error('no report came');
    await new Promise((later) => setTimeout(later, 100));
  }
  if (!readFileSync(target).subarray(0, 5).equals(Buffer.from('%PDF-'))) throw new Error('the report is no PDF');
} finally {
  await quit();
  removeHomes();
}
