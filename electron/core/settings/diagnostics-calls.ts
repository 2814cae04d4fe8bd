import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import type { SupportReport } from '../../../contract/diagnostics.ts';
import type { HandlersOf } from '../../../contract/index.ts';
import { chooseTarget, saveFile } from '../files/target.ts';
import { appError } from '../foundation/app-error.ts';
import type { LogSetting } from '../foundation/log-level.ts';
import type { Ports } from '../foundation/ports.ts';
import { type ReportSources, supportName, supportTexts, supportZip } from './support-texts.ts';

/** Calls that make a report for support, save the one that was looked at, and set how much is logged. */
export function diagnosticsCalls(
  sources: ReportSources,
  { dialogs }: Pick<Ports, 'dialogs'>,
  log: Pick<LogSetting, 'set'>,
): HandlersOf<'diagnostics'> {
  let last: SupportReport | null = null;
  return {
    'diagnostics.report': async () => {
      last = { id: randomUUID(), files: await supportTexts(sources) };
      return last;
    },
    'diagnostics.save': async ({ id }) => {
      if (last?.id !== id) throw appError('not-found', 'there is a newer report');
      const report = last;
      const now = new Date();
      const target = await chooseTarget(dialogs, `${supportName(now)}.zip`);
      return target && { fileName: basename(await saveFile(target, [await supportZip(report, now)])) };
    },
    'diagnostics.setLogLevel': async ({ level }) => {
      log.set(level);
      return null;
    },
  };
}
