import { type Failure, type FailureCode, isOfStorage } from '../../../contract/failure.ts';
import { AppError, appError } from '../../../electron/core/foundation/app-error.ts';
import { teamFailures } from '../../../locales/en/shared/team-failures.ts';
import { UsageError } from './exit-code.ts';
import { failureOnLine } from './printer.ts';
import { t } from './texts.ts';

const teamDetails = Object.keys(teamFailures) as readonly (keyof typeof teamFailures)[];

/** A failure that the command line itself finds. */
export function ownFailure(code: FailureCode, note: string, more: Pick<Failure, 'detail'> = {}): Failure {
  return appError(code, note, more).failure;
}

/** The error for what a command cannot begin without: a UsageError in these words, but what keeps the register from being used stays that. */
export function startError(failure: Failure, text: string): Error {
  return isOfStorage(failure) ? new AppError(failure) : new UsageError(text);
}

/** What happened, for people: the note, but what concerns the team register in the window's words. */
export function failureText(failure: Failure): string {
  const { note } = failureOnLine(failure);
  const team = teamDetails.find((detail) => detail === failure.detail);
  if (!team) return note;
  // Documents wait for a register that is away in the window only.
  const advice = team === 'team-away' ? note : t(`results.teamFailures.${team}.advice`);
  return t('results.inBrief', { what: t(`results.teamFailures.${team}.heading`), advice });
}
