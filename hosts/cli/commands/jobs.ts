import { option, waitOption } from '../arguments/options.ts';
import type { ServiceCommand } from '../command.ts';
import { actions, operation } from '../jobs/actions.ts';
import { UsageError } from '../output/exit-code.ts';
import { t } from '../output/texts.ts';

/** Actions that ask the service or send to it. */
const actionsWithCredentials: ReadonlySet<string> = new Set(['resume', 'decide', 'look', 'accept', 'send-again']);

export const jobsCommand: ServiceCommand = {
  kind: 'service',
  name: 'jobs',
  summary: t('commands.jobs.summary'),
  arguments: ['<ACTION>', '[JOB...]'],
  options: [
    option('--all', t('options.all')),
    option('--batch <BATCH>', t('options.batch')),
    option('--queue', t('options.queue')),
    option('--held', t('options.held')),
    option('--restored', t('options.restored')),
    option('--state <STATE>', t('options.state')),
    option('--send', t('options.send')),
    option('--skip', t('options.skip')),
    option('--yes-send-again', t('options.yesSendAgain')),
    option('--unchecked', t('options.unchecked')),
    waitOption,
  ],
  operation,
  needsCredentials: ([action = '']) => actionsWithCredentials.has(action),
  remarks: [t('commands.jobs.actions'), t('commands.jobs.others')],
  examples: [
    ['list --connection Office', t('commands.jobs.open')],
    ['resume --all --connection Office', t('commands.jobs.left')],
    ['look 0b3e… --connection Office', t('commands.jobs.lost')],
  ],
  run: async (session, run) => {
    const [name = '', ...ids] = run.args;
    if (session.connection.kind !== 'service') {
      throw new UsageError(t('errors.noLedger'));
    }
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (!action) throw new UsageError(t('errors.jobsAction', { actions: Object.keys(actions).join(', ') }));
    return await action(session, run, ids);
  },
};
