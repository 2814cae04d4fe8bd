import type { ServiceCommand } from '../command.ts';
import { creditOf } from '../credit.ts';
import { type ExitCode, exitCodeOfStart, exitCodes, worstOf } from '../exit-code.ts';
import { watchJobs } from '../follow-jobs.ts';
import { creditOption, documentOptions, option, waitOption } from '../options.ts';
import { lineText } from '../printer.ts';
import { reportFailure, reportJob } from '../report.ts';
import { type Taken, takeFiles } from '../take-files.ts';
import { t } from '../texts.ts';
import { textOf } from '../values.ts';

const operation = 'AddNewDocument';

export const registerCommand: ServiceCommand = {
  kind: 'service',
  name: 'register',
  summary: t('commands.register.summary'),
  arguments: ['<FILE|FOLDER...>'],
  options: [...documentOptions, creditOption, option('--skip-duplicates', t('options.skipDuplicates')), waitOption],
  operation,
  needsCredentials: true,
  remarks: [t('commands.register.remarks')],
  examples: [
    ['contract.pdf --client-id 4711', t('commands.register.one')],
    ['contracts/ --name "{name} ({n})" --connection Office --json', t('commands.register.folder')],
  ],
  run: async (session, { args, values, printer, interrupted }) => {
    const creditType = creditOf(values, session.connection);
    const taken = await takeFiles(session, args, 'register');
    const codes: ExitCode[] = taken.unusable.map(({ path, failure }) =>
      reportFailure(printer, { operation, file: path }, failure),
    );
    for (const path of taken.passedOver) printer.remark(lineText(path, t('results.skippedNotPdf')));
    for (const path of taken.emptyFolders) printer.remark(lineText(path, t('results.emptyFolder')));
    if (!taken.intakeId) {
      if (codes.length === 0) printer.remark(t('results.noPdf'));
      return worstOf([...codes, exitCodes.refused]);
    }
    const watch = watchJobs(session);
    try {
      const started = await session.ask('documents.register', {
        connectionId: session.connection.id,
        intakeId: taken.intakeId,
        creditType,
        name: textOf(values, 'name'),
        description: textOf(values, 'description'),
        clientId: textOf(values, 'client-id'),
        duplicates: { otherwise: values['skip-duplicates'] === true ? 'skip' : 'send' },
      });
      if (!started.ok) {
        for (const file of taken.paths) reportFailure(printer, { operation, file }, started.failure);
        return worstOf([...codes, exitCodeOfStart(started.failure)]);
      }
      const { batchId, jobCount } = started.value;
      await watch.follow(batchId, jobCount, {
        interrupted,
        unsent: 'cancel',
        remark: printer.remark,
        onEnd: (ended) => codes.push(reportJob(printer, pathOf(taken, ended.position), ended)),
      });
      return worstOf(codes);
    } finally {
      watch.stop();
    }
  },
};

/** Jobs have the order of the intake's files. */
const pathOf = (taken: Taken, position: number) => taken.paths[position];
