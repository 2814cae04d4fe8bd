import { takeFiles } from '../arguments/named-files.ts';
import { creditOption, documentOptions, option, waitOption } from '../arguments/options.ts';
import { creditOf, isSet, textOf } from '../arguments/values.ts';
import type { ServiceCommand } from '../command.ts';
import { followBatch } from '../jobs/follow-jobs.ts';
import { type ExitCode, exitCodes, UsageError, worstOf } from '../output/exit-code.ts';
import { lineText } from '../output/printer.ts';
import { reportFailure } from '../output/report.ts';
import { t } from '../output/texts.ts';

const operation = 'AddNewDocument';

export const registerCommand: ServiceCommand = {
  kind: 'service',
  name: 'register',
  summary: t('commands.register.summary'),
  arguments: ['<FILE|FOLDER...>'],
  options: [...documentOptions, creditOption, option('--send-duplicates', t('options.sendDuplicates')), waitOption],
  operation,
  needsCredentials: true,
  remarks: [t('commands.register.remarks')],
  examples: [
    ['contract.pdf --client-id 4711', t('commands.register.one')],
    ['contracts/ --name "{name} ({n})" --connection Office --json', t('commands.register.folder')],
  ],
  run: async (session, run) => {
    const { args, values, printer } = run;
    const creditType = creditOf(values, session.connection);
    const taken = await takeFiles(session, args, 'register');
    const codes: ExitCode[] = taken.unusable.map(({ path, failure }) =>
      reportFailure(printer, { operation, file: path }, failure),
    );
    for (const path of taken.passedOver) printer.remark(lineText(path, t('results.skippedNotPdf')));
    for (const path of taken.emptyFolders) printer.remark(lineText(path, t('results.emptyFolder')));
    const { intakeId, paths } = taken;
    if (!intakeId) {
      if (codes.length === 0) printer.remark(t('results.noPdf'));
      return worstOf([...codes, exitCodes.refused]);
    }
    const start = () =>
      session.ask('documents.register', {
        connectionId: session.connection.id,
        intakeId,
        creditType,
        name: textOf(values, 'name'),
        description: textOf(values, 'description'),
        clientId: textOf(values, 'client-id'),
        duplicates: { otherwise: isSet(values, 'send-duplicates') ? 'send' : 'skip' },
      });
    return worstOf([...codes, await followBatch(session, run, operation, paths, start)]);
  },
};

export const noteCommand: ServiceCommand = {
  kind: 'service',
  name: 'note',
  summary: t('commands.note.summary'),
  arguments: ['[MESSAGE]'],
  options: [
    option('--message <TEXT>', t('options.noteMessage')),
    option('--description <TEXT>', t('options.noteDescription')),
    waitOption,
  ],
  operation: 'AddQuickNote',
  needsCredentials: true,
  examples: [['"Called the bank" --description "Loan 4711"', t('commands.note.description')]],
  run: async (session, run) => {
    const { values, args } = run;
    const message = textOf(values, 'message') ?? args[0];
    if (message === undefined) throw new UsageError(t('errors.noteNeedsMessage'));
    if (args[0] !== undefined && textOf(values, 'message') !== undefined) {
      throw new UsageError(t('errors.noteTwice'));
    }
    const description = textOf(values, 'description');
    return followBatch(session, run, 'AddQuickNote', [undefined], () =>
      session.ask('service.addQuickNote', { connectionId: session.connection.id, message, description }),
    );
  },
};
