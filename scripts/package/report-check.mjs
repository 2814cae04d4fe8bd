import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron as electron } from 'playwright-core';
import { doMainJob } from './main-job.mjs';

/* node report-check.mjs PROGRAM: does the packaged program find the thread that writes its PDFs? PROGRAM takes --inspect. Needs a display. */

const home = mkdtempSync(join(tmpdir(), 'sealdesk-packaged-'));
const target = join(home, 'report.pdf');
const app = await electron.launch({
  executablePath: process.argv[2],
  args: ['--no-sandbox', `--user-data-dir=${home}`],
  timeout: 60_000,
});
try {
  const page = await app.firstWindow({ timeout: 60_000 });
  await page.waitForLoadState('load');
  await doMainJob(page);
  await app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath });
  }, target);
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
  await app.close();
  rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
