import type { ServiceCommand } from '../command.ts';
import { actions } from '../jobs/actions.ts';
import { operation } from '../jobs/run-on-jobs.ts';
import { option, waitOption } from '../options.ts';
import { UsageError } from '../usage-error.ts';

/** Actions that ask the service or send to it. */
const actionsWithCredentials: ReadonlySet<string> = new Set(['resume', 'decide', 'look', 'accept', 'send-again']);

export const jobsCommand: ServiceCommand = {
  kind: 'service',
  name: 'jobs',
  summary: (t) => t('commands.jobs.summary'),
  arguments: ['<ACTION>', '[JOB...]'],
  options: [
    option('--all', (t) => t('options.all')),
    option('--batch <BATCH>', (t) => t('options.batch')),
    option('--queue', (t) => t('options.queue')),
    option('--held', (t) => t('options.held')),
    option('--restored', (t) => t('options.restored')),
    option('--state <STATE>', (t) => t('options.state')),
    option('--send', (t) => t('options.send')),
    option('--skip', (t) => t('options.skip')),
    option('--yes-send-again', (t) => t('options.yesSendAgain')),
    option('--unchecked', (t) => t('options.unchecked')),
    waitOption,
  ],
  operation,
  needsCredentials: ([action = '']) => actionsWithCredentials.has(action),
  remarks: [(t) => t('commands.jobs.actions'), (t) => t('commands.jobs.others')],
  examples: [
    ['list --connection Office', (t) => t('commands.jobs.open')],
    ['resume --all --connection Office', (t) => t('commands.jobs.left')],
    ['look 0b3e… --connection Office', (t) => t('commands.jobs.lost')],
  ],
  run: async (session, run) => {
    const [name = '', ...ids] = run.args;
    if (session.connection.kind !== 'service') {
      throw new UsageError((t) => t('errors.noLedger'));
    }
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (!action) throw new UsageError((t) => t('errors.jobsAction', { actions: Object.keys(actions).join(', ') }));
    return await action(session, run, ids);
  },
};
