import { lstat, mkdir, stat } from 'node:fs/promises';
import { dirname, extname, join, resolve } from 'node:path';
import type { SupportReport } from '../../../contract/diagnostics.ts';
import { givenTarget, saveFile } from '../../../electron/core/files/target.ts';
import { knownFailure } from '../../../electron/core/foundation/app-error.ts';
import { managed, openPolicy } from '../../../electron/core/settings/policy.ts';
import {
  supportEntries,
  supportName,
  supportZip,
  textsWithoutRegister,
} from '../../../electron/core/settings/support-texts.ts';
import { option } from '../arguments/options.ts';
import { assertFree, isSet, textOf } from '../arguments/values.ts';
import type { Run, ServiceCommand } from '../command.ts';
import { dataFolderFor } from '../data-folder.ts';
import { unwrapped } from '../follow-task.ts';
import { type ExitCode, exitCodes, UsageError } from '../output/exit-code.ts';
import { failureText, inColumn, nameOnLine } from '../output/printer.ts';
import { reportFailure } from '../output/report.ts';
import { t } from '../output/texts.ts';
import { portsFor } from '../session.ts';

const operation = 'support';

export const supportCommand: ServiceCommand = {
  kind: 'service',
  name: 'support',
  summary: t('commands.support.summary'),
  arguments: [],
  options: [
    option('-o, --output <FOLDER|FILE.zip>', t('options.supportOutput')),
    option('--replace', t('options.replace')),
  ],
  operation,
  needsCredentials: false,
  remarks: [t('commands.support.holds')],
  examples: [
    ['--connection Office', t('commands.support.here')],
    ['--connection Office -o report', t('commands.support.folder')],
  ],
  run: ({ ask }, run) =>
    save(run, async () => {
      const { policy } = unwrapped(await ask('app.info', {}));
      if (policy.forbidden.includes('exportDiagnostics')) throw notAllowed();
      return unwrapped(await ask('diagnostics.report', {}));
    }),
  runWithoutRegister: (failure, run) =>
    save(run, async () => {
      run.printer.remark(failureText(failure));
      const folder = dataFolderFor(run.values);
      const ports = portsFor(folder, run.env, {});
      const policy = await openPolicy(ports.policy, ports.log);
      try {
        if (policy.state().forbidden.includes('exportDiagnostics')) throw notAllowed();
        return { files: await textsWithoutRegister(ports, policy.state(), failure) };
      } finally {
        policy.close();
        folder.leave();
      }
    }),
};

const notAllowed = () => managed('the policy does not allow a report');

async function save({ printer, values }: Run, make: () => Promise<Pick<SupportReport, 'files'>>): Promise<ExitCode> {
  const now = new Date();
  const path = await targetFor(textOf(values, 'output') ?? '.', now);
  const isZip = extname(path).toLowerCase() === '.zip';
  const mayReplace = isSet(values, 'replace');
  if (isZip) await assertFree('-o', path, mayReplace);
  const report = await make();
  try {
    if (isZip) await saveFile(await givenTarget(path, mayReplace), [await supportZip(report, now)]);
    else await saveAsFolder(path, report);
  } catch (error) {
    return reportFailure(printer, { operation, file: path }, knownFailure(error));
  }
  const files = supportEntries(report).map(([name, text]) => ({ name, bytes: Buffer.byteLength(text) }));
  const names = files.map(({ name }) => name);
  printer.result(
    { operation, ok: true, entries: files, file: path },
    [
      t('results.line', { subject: nameOnLine(path), text: t('results.saved') }),
      ...files.map(({ name, bytes }) => `  ${inColumn(name, names)}  ${t('results.supportBytes', { count: bytes })}`),
    ].join('\n'),
  );
  return exitCodes.fine;
}

/** A zip file in a folder that exists; else what was given: a zip file, or a new folder. */
async function targetFor(output: string, now: Date): Promise<string> {
  const path = resolve(output);
  if ((await stat(path).catch(() => null))?.isDirectory()) return join(path, `${supportName(now)}.zip`);
  const folder = dirname(path);
  const found = await stat(folder).catch(() => null);
  if (!found?.isDirectory()) throw new UsageError(t('errors.noFolder', { folder }));
  if (extname(path).toLowerCase() !== '.zip' && (await lstat(path).catch(() => null)))
    throw new UsageError(t('errors.existsAlready', { option: '-o', file: nameOnLine(path) }));
  return path;
}

async function saveAsFolder(folder: string, report: Pick<SupportReport, 'files'>): Promise<void> {
  await mkdir(folder, { mode: 0o700 });
  for (const [name, text] of supportEntries(report))
    await saveFile(await givenTarget(join(folder, name), false), [text]);
}
