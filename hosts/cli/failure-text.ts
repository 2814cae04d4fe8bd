import type { Failure, FailureCode } from '../../contract/failure.ts';
import { AppError, appError } from '../../electron/core/foundation/app-error.ts';
import { teamFailures } from '../../locales/en/shared/team-failures.ts';
import { failureOnLine } from './printer.ts';
import { english, type Saying, type Texts } from './texts.ts';
import { UsageError } from './usage-error.ts';

const teamDetails = Object.keys(teamFailures) as readonly (keyof typeof teamFailures)[];

const own = new WeakMap<Failure, Saying>();

/** A failure that the command line itself finds. Its note is English as all notes; people read it in their language. */
export function ownFailure(code: FailureCode, say: Saying, more: Pick<Failure, 'detail'> = {}): Failure {
  return withText(appError(code, say(english), more).failure, say);
}

/** Lets people read `say` for this failure. */
export function withText(failure: Failure, say: Saying): Failure {
  own.set(failure, say);
  return failure;
}

/** The error for what a command cannot begin without: a UsageError in these words, but what keeps the register from being used stays that. */
export function startError(failure: Failure, say: Saying): Error {
  return failure.code.startsWith('storage-') ? new AppError(failure) : new UsageError(say);
}

/** What happened, for people: in English the note, in other languages the kind of failure with the note. */
export function failureText(t: Texts, failure: Failure): string {
  const say = own.get(failure);
  if (say) return say(t);
  const { note } = failureOnLine(failure);
  const team = teamDetails.find((detail) => detail === failure.detail);
  if (team) {
    // Documents wait for a register that is away in the window only.
    const advice = team === 'team-away' ? note : t(`results.teamFailures.${team}.advice`);
    return t('results.inBrief', { what: t(`results.teamFailures.${team}.heading`), advice });
  }
  return t(`results.failures.${failure.code}`, { note });
}
