import type { DoctorStep } from '../../../contract/connections.ts';
import { proposalTexts } from '../../../electron/core/connections/doctor/proposals.ts';
import type { ServiceCommand } from '../command.ts';
import { type ExitCode, exitCodeOf, exitCodes, worstOf } from '../exit-code.ts';
import { failureOnLine } from '../printer.ts';
import { reportFailure } from '../report.ts';

export const doctorCommand: ServiceCommand = {
  kind: 'service',
  name: 'doctor',
  summary: 'Examines a connection step by step: name, network, proxy, TLS, SOAP, credentials, Easy Sign.',
  arguments: [],
  options: [],
  operation: 'doctor',
  needsCredentials: false,
  remarks: [
    'With --json there is one object a step: answer.group is passed, failed, unclear or not-tried, answer.meaning the step;',
    'details.proposal says what to do, details.elements which element names are in question.',
    'A step is unclear where the service answered without showing whether a setting is right. It does not change the exit code.',
  ],
  examples: [['--connection Office', 'a saved connection']],
  run: async ({ ask, connection }, { printer }) => {
    const report = await ask('connections.doctor', { id: connection.id });
    if (!report.ok) return reportFailure(printer, { operation: 'doctor' }, report.failure);
    for (const { step, result, note, failure, proposal, elements } of report.value.steps) {
      const next = proposal ? `. ${proposalTexts[proposal]}` : '';
      const names = elements ? ` (${elements.join(', ')})` : '';
      printer.result(
        {
          operation: 'doctor',
          ok: result !== 'failed',
          raw: note,
          answer: { group: result, meaning: step },
          ...(proposal || elements ? { details: { proposal, elements } } : {}),
          failure: failure ? failureOnLine(failure) : undefined,
        },
        `${result.padEnd(9)}  ${step.padEnd(14)}  ${note}${next}${names}`,
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
