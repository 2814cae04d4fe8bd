import type { ServiceCommand } from '../command.ts';
import { creditOf } from '../credit.ts';
import { type ExitCode, exitCodeOfStart, exitCodes, worstOf } from '../exit-code.ts';
import { watchJobs } from '../follow-jobs.ts';
import { creditOption, documentOptions, option } from '../options.ts';
import { nameOnLine } from '../printer.ts';
import { reportFailure, reportJob } from '../report.ts';
import { type Taken, takeFiles } from '../take-files.ts';
import { textOf } from '../values.ts';

const operation = 'AddNewDocument';

export const registerCommand: ServiceCommand = {
  kind: 'service',
  name: 'register',
  summary: 'Registers PDF documents (AddNewDocument): files, and folders with all below them. Each costs one credit.',
  arguments: ['<FILE|FOLDER...>'],
  options: [
    ...documentOptions,
    creditOption,
    option('--skip-duplicates', 'passes over files whose bytes were sent over this connection before'),
  ],
  operation,
  needsCredentials: true,
  remarks: [
    `--name, --description and --client-id may hold {name} (file name without its ending), {file}, {folder} and {n} (1, 2, 3 …). Files in folders that are no PDF are passed over. A file whose bytes were sent over this connection before is sent with a remark, or passed over with --skip-duplicates.`,
  ],
  examples: [
    ['contract.pdf --client-id 4711', 'one document on the practice service'],
    ['contracts/ --name "{name} ({n})" --connection Office --json', 'a folder on a saved connection, as JSON lines'],
  ],
  run: async (session, { args, values, printer, interrupted }) => {
    const creditType = creditOf(values, session.connection);
    const taken = await takeFiles(session, args, 'register');
    const codes: ExitCode[] = taken.unusable.map(({ path, failure }) =>
      reportFailure(printer, { operation, file: path }, failure),
    );
    for (const path of taken.passedOver) printer.remark(`${nameOnLine(path)}: passed over, not a PDF`);
    for (const path of taken.emptyFolders) printer.remark(`${nameOnLine(path)}: there is no file in it`);
    if (!taken.intakeId) {
      if (codes.length === 0) printer.remark('There is no PDF here.');
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
        for (const file of taken.paths) codes.push(reportFailure(printer, { operation, file }, started.failure));
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
