import type { Envelope } from '../../../contract/failure.ts';
import type { ServiceText } from '../../../contract/service.ts';
import type { ServiceCommand } from '../command.ts';
import { exitCodes } from '../output/exit-code.ts';
import { reportFailure } from '../output/report.ts';
import { t } from '../output/texts.ts';
import type { Session } from '../session.ts';

/** A command without arguments that prints one text of the service. */
function textCommand(
  described: Pick<ServiceCommand, 'name' | 'summary' | 'examples'> & {
    readonly operation: 'GetVersion' | 'GetSchedule';
  },
  ask: (session: Session) => Promise<Envelope<ServiceText>>,
): ServiceCommand {
  const { operation } = described;
  return {
    ...described,
    kind: 'service',
    arguments: [],
    options: [],
    needsCredentials: false,
    run: async (session, { printer }) => {
      const answer = await ask(session);
      if (!answer.ok) return reportFailure(printer, { operation }, answer.failure);
      const { raw } = answer.value;
      printer.result({ operation, ok: true, raw }, raw ?? t('results.nothing'));
      return exitCodes.fine;
    },
  };
}

export const versionCommand = textCommand(
  {
    name: 'version',
    summary: t('commands.version.summary'),
    operation: 'GetVersion',
    examples: [
      ['', t('commands.version.practice')],
      [
        '--url https://api.example.com --namespace https://api.example.com/ --main-path /api.asmx',
        t('commands.version.service'),
      ],
    ],
  },
  ({ ask, connection }) => ask('service.version', { connectionId: connection.id }),
);

export const scheduleCommand = textCommand(
  {
    name: 'schedule',
    summary: t('commands.schedule.summary'),
    operation: 'GetSchedule',
    examples: [['--json', t('commands.schedule.json')]],
  },
  ({ ask, connection }) => ask('service.schedule', { connectionId: connection.id }),
);

export const tokenCommand: ServiceCommand = {
  kind: 'service',
  name: 'token',
  summary: t('commands.token.summary'),
  arguments: [],
  options: [],
  operation: 'GetAuthToken',
  needsCredentials: true,
  examples: [['--connection Office', t('commands.token.saved')]],
  run: async ({ core, connection }, { printer }) => {
    const raw = await core.authToken(connection.id);
    printer.result({ operation: 'GetAuthToken', ok: true, raw }, raw);
    return exitCodes.fine;
  },
};
