import type { Envelope } from '../../../contract/failure.ts';
import type { ServiceText } from '../../../contract/service.ts';
import type { ServiceCommand } from '../command.ts';
import { exitCodes } from '../exit-code.ts';
import { reportFailure, said } from '../report.ts';
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
      printer.result({ operation, ok: true, raw }, raw ?? 'The service answered nothing.');
      return exitCodes.fine;
    },
  };
}

export const versionCommand = textCommand(
  {
    name: 'version',
    summary: "Prints the version of the service's API (GetVersion).",
    operation: 'GetVersion',
    examples: [
      ['', 'of the practice service'],
      ['--url https://api.example.com --namespace https://api.example.com/ --main-path /api.asmx', 'of a service'],
    ],
  },
  ({ ask, connection }) => ask('service.version', { connectionId: connection.id }),
);

export const scheduleCommand = textCommand(
  {
    name: 'schedule',
    summary: "Prints the service's schedule (GetSchedule).",
    operation: 'GetSchedule',
    examples: [['--json', 'as a JSON object']],
  },
  ({ ask, connection }) => ask('service.schedule', { connectionId: connection.id }),
);

export const tokenCommand: ServiceCommand = {
  kind: 'service',
  name: 'token',
  summary: 'Prints an authentication token (GetAuthToken). It is a secret: mind where the output goes.',
  arguments: [],
  options: [],
  operation: 'GetAuthToken',
  needsCredentials: true,
  examples: [['--connection Office', 'with the credentials of a saved connection']],
  run: async ({ core, connection }, { printer }) => {
    const raw = await core.authToken(connection.id);
    printer.result({ operation: 'GetAuthToken', ok: true, raw }, raw ?? `No token${said(raw)}.`);
    return exitCodes.fine;
  },
};
