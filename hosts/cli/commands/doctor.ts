import { type DoctorStep, doctorSteps } from '../../../contract/connections.ts';
import { proposalTexts } from '../../../electron/core/connections/doctor/judge-reply.ts';
import type { ServiceCommand } from '../command.ts';
import { type ExitCode, exitCodeOf, exitCodes, worstOf } from '../output/exit-code.ts';
import { failureOnLine, inColumn } from '../output/printer.ts';
import { reportFailure } from '../output/report.ts';
import { t } from '../output/texts.ts';

export const doctorCommand: ServiceCommand = {
  kind: 'service',
  name: 'doctor',
  summary: t('commands.doctor.summary'),
  arguments: [],
  options: [],
  operation: 'doctor',
  needsCredentials: false,
  remarks: [t('commands.doctor.json'), t('commands.doctor.details'), t('commands.doctor.unclear')],
  examples: [['--connection Office', t('commands.doctor.saved')]],
  run: async ({ ask, connection }, { printer }) => {
    const report = await ask('connections.doctor', { id: connection.id });
    if (!report.ok) return reportFailure(printer, { operation: 'doctor' }, report.failure);
    for (const one of report.value.steps) {
      const { step, result, note, failure, proposal, elements } = one;
      printer.result(
        {
          operation: 'doctor',
          ok: result !== 'failed',
          raw: note,
          answer: { group: result, meaning: step },
          ...(proposal || elements ? { details: { proposal, elements } } : {}),
          failure: failure ? failureOnLine(failure) : undefined,
        },
        stepText(one),
      );
    }
    return worstOf(report.value.steps.map(codeOf));
  },
};

const results: readonly DoctorStep['result'][] = ['passed', 'failed', 'unclear', 'not-tried'];

/** A step that was checked, in columns. `names`: of all steps. */
export function checkedLine(
  result: DoctorStep['result'],
  step: string,
  names: readonly string[],
  note: string,
): string {
  const ends = results.map((one) => t(`results.doctor.results.${one}`));
  return `${inColumn(t(`results.doctor.results.${result}`), ends)}  ${inColumn(step, names)}  ${note}`;
}

function stepText({ step, result, note, proposal, elements }: DoctorStep): string {
  const next = proposal ? `. ${proposalTexts[proposal]}` : '';
  const found = elements ? ` (${elements.join(', ')})` : '';
  const names = doctorSteps.map((one) => t(`results.doctor.steps.${one}`));
  return checkedLine(result, t(`results.doctor.steps.${step}`), names, `${note}${next}${found}`);
}

function codeOf({ result, failure }: DoctorStep): ExitCode {
  if (result !== 'failed') return exitCodes.fine;
  const code = failure ? exitCodeOf(failure) : exitCodes.refused;
  return code === exitCodes.usage ? exitCodes.refused : code;
}
