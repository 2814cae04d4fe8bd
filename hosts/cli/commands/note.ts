import { option, waitOption } from '../arguments/options.ts';
import { textOf } from '../arguments/values.ts';
import type { ServiceCommand } from '../command.ts';
import { followBatch } from '../jobs/follow-jobs.ts';
import { UsageError } from '../output/exit-code.ts';
import { t } from '../output/texts.ts';

const operation = 'AddQuickNote';

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
  operation,
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
    return followBatch(session, run, operation, [undefined], () =>
      session.ask('service.addQuickNote', { connectionId: session.connection.id, message, description }),
    );
  },
};
