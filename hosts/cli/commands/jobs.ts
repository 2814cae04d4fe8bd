import type { ServiceCommand } from '../command.ts';
import { actions } from '../jobs/actions.ts';
import { operation } from '../jobs/run-on-jobs.ts';
import { option } from '../options.ts';
import { UsageError } from '../usage-error.ts';

/** Actions that ask the service or send to it. */
const actionsWithCredentials: ReadonlySet<string> = new Set(['resume', 'decide', 'look', 'send-again']);

export const jobsCommand: ServiceCommand = {
  kind: 'service',
  name: 'jobs',
  summary: 'Shows what waits, is in doubt or asks for a decision in the ledger of a connection, and settles it.',
  arguments: ['<ACTION>', '[JOB...]'],
  options: [
    option('--all', 'every job of the connection that the action is for'),
    option('--batch <BATCH>', 'those of one batch'),
    option('--queue', 'resume: ends the pause of everything'),
    option('--held', 'resume: lets the connection go on after lost answers, one add first'),
    option('--restored', 'resume: lets go what may have been sent since the register was copied'),
    option('--state <STATE>', 'list: only jobs in this state'),
    option('--send', 'decide: they are sent all the same'),
    option('--skip', 'decide: they are passed over'),
    option('--yes-send-again', 'send-again: also what is in doubt, which may then cost and mail people twice'),
  ],
  operation,
  needsCredentials: ([action = '']) => actionsWithCredentials.has(action),
  remarks: [
    `list               what has not ended well: waiting, in doubt, asking, refused,
                   failed (--state for others)
resume JOB…        ends their pauses, takes over what programs that are over
                   have left, sends it and waits for the end. Also with --all;
                   --batch BATCH ends the pause of a batch, --queue that of
                   everything
cancel JOB…        cancels what has not begun to leave. Also with --all
decide JOB…        with --send or --skip: about duplicates that wait for a
                   decision
look JOB           asks the service what became of a job in doubt; with a
                   DOCUMENT-ID after the job, whether that document is it. Only
                   reads
accept JOB DOCUMENT-ID
                   settles a job in doubt: this document is what became of it
send-again JOB…    sends once more what was refused, failed or cancelled; a job
                   in doubt only with --yes-send-again
dismiss JOB…       takes what has ended off the list; the register keeps the
                   documents. Also with --all`,
    'Jobs that another program works on are left to it. A job in doubt is left alone until one of these is done with it.',
  ],
  examples: [
    ['list --connection Office', 'what is open'],
    ['resume --all --connection Office', 'sends what a program that was killed has left'],
    ['look 0b3e… --connection Office', 'whether a lost add has arrived'],
  ],
  run: async (session, run) => {
    const [name = '', ...ids] = run.args;
    if (session.connection.kind !== 'service') {
      throw new UsageError('The practice service keeps no ledger: give --connection NAME or --url ADDRESS.');
    }
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (!action) throw new UsageError(`jobs takes one of ${Object.keys(actions).join(', ')}.`);
    return await action(session, run, ids);
  },
};
