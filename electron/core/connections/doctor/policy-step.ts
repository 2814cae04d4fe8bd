import type { PolicyState } from '../../../../contract/settings.ts';
import type { StepRunner } from './step-runner.ts';

/** Reports the organisation's policy, if there is one: what it sets, and what of it cannot be used. */
export async function runPolicyStep(
  runner: StepRunner,
  { source, isPresent, locked, problems }: PolicyState,
): Promise<void> {
  if (!isPresent) return;
  const sets = locked.length > 0 ? `sets ${locked.join(', ')}` : 'sets nothing';
  const found = problems.map(({ key, note }) => `${key} ${note}`.trim());
  await runner.run('policy', async () => ({
    note: [`${source} ${sets}`, ...found].join('; '),
    result: problems.length > 0 ? 'unclear' : 'passed',
  }));
}
