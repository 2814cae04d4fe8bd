import type { DoctorStep } from '../../../contract/connections.ts';
import type { ServiceCommand } from '../command.ts';
import { type ExitCode, exitCodeOf, exitCodes, worstOf } from '../exit-code.ts';
import { failureOnLine } from '../printer.ts';
import { reportFailure } from '../report.ts';

export const doctorCommand: ServiceCommand = {
  kind: 'service',
  name: 'doctor',
  summary: 'Examines a connection step by step: name, network, proxy, TLS, SOAP, credentials, Easy Sign.',
  usage: '',
  minArgs: 0,
  maxArgs: 0,
  options: {},
  operation: 'doctor',
  needsCredentials: false,
  remarks: [
    'With --json there is one object a step: answer.group is passed, failed or not-tried, answer.meaning the step.',
  ],
  examples: [['--connection Office', 'a saved connection']],
  run: async ({ ask, connection }, { printer }) => {
    const report = await ask('connections.doctor', { id: connection.id });
    if (!report.ok) return reportFailure(printer, { operation: 'doctor' }, report.failure);
    for (const { step, result, note, failure } of report.value.steps) {
      printer.result(
        {
          operation: 'doctor',
          ok: result !== 'failed',
          raw: note,
          answer: { group: result, meaning: step },
          failure: failure ? failureOnLine(failure) : undefined,
        },
        `${result.padEnd(9)}  ${step.padEnd(12)}  ${note}`,
      );
    }
    return worstOf(report.value.steps.map(codeOf));
  },
};

function codeOf({ result, failure }: DoctorStep): ExitCode {
  if (result !== 'failed') return exitCodes.fine;
  const code = failure ? exitCodeOf(failure) : exitCodes.refused;
  return code === exitCodes.usage ? exitCodes.refused : code;
}
