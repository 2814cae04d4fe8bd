import type { ServiceCommand } from '../command.ts';
import { followOne } from '../follow-one.ts';
import { option } from '../options.ts';
import { UsageError } from '../usage-error.ts';
import { textOf } from '../values.ts';

const operation = 'AddQuickNote';

export const noteCommand: ServiceCommand = {
  kind: 'service',
  name: 'note',
  summary: 'Creates a quick note (AddQuickNote). It may cost a credit.',
  arguments: ['[MESSAGE]'],
  options: [
    option('--message <TEXT>', 'QuickNoteMessage (or as the argument)'),
    option('--description <TEXT>', 'description'),
  ],
  operation,
  needsCredentials: true,
  examples: [['"Called the bank" --description "Loan 4711"', 'a note with a description']],
  run: async (session, run) => {
    const { values, args } = run;
    const message = textOf(values, 'message') ?? args[0];
    if (message === undefined) throw new UsageError('note needs a message: sealdesk note "MESSAGE".');
    if (args[0] !== undefined && textOf(values, 'message') !== undefined) {
      throw new UsageError('The message is given twice: as the argument and with --message.');
    }
    const description = textOf(values, 'description');
    return followOne(session, run, operation, undefined, () =>
      session.ask('service.addQuickNote', { connectionId: session.connection.id, message, description }),
    );
  },
};
