import type { FailureDetail } from '../../../contract/failure.ts';
import { AppError, appError, codeOf } from '../foundation/app-error.ts';

/** SQLSTATE codes, by their first characters; the longest that fits counts. */
const bySqlState: readonly (readonly [start: string, detail: FailureDetail])[] = [
  ['28', 'team-login-refused'],
  ['3D000', 'team-missing'],
  ['3F000', 'team-missing'],
  ['42P01', 'team-missing'],
  ['42703', 'team-newer'],
  ['42704', 'team-missing'],
  ['42883', 'team-missing'],
  ['42501', 'team-rights'],
  ['25006', 'team-full'],
  // It answers: no row was to be had in time, or no connection.
  ['40', 'team-busy'],
  ['53300', 'team-busy'],
  ['55P03', 'team-busy'],
  ['57014', 'team-busy'],
  ['53100', 'team-full'],
];

/** Turns an error of the database or of the way to it into an AppError with a sentence for people. Never passes on its message, which may quote values. */
export function toTeamError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const code = codeOf(error);
  const failure = appError('not-connected', `the team register answered ${code}`, {
    detail: detailOf(error, code),
    retryable: true,
  });
  failure.cause = code;
  return failure;
}

/** True if the database refused a statement or its values, as it does after the schema has changed: no fault of the way there. */
export function isRefused(error: unknown): boolean {
  return error instanceof AppError && /^(0A|22|23|42)/.test(String(error.cause));
}

function detailOf(error: unknown, code: string): FailureDetail {
  if (/^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH)/.test(code))
    return 'team-certificate';
  const message = error instanceof Error ? error.message : '';
  // The driver's own words, without a code: no password is known here.
  if (/password must be a string/.test(message)) return 'team-login-refused';
  if (/does not support SSL/.test(message)) return 'team-not-encrypted';
  return bySqlState.find(([start]) => code.startsWith(start))?.[1] ?? 'team-away';
}

/** True for the refusal of a row because its key exists. */
export function isUniqueViolation(error: unknown): boolean {
  return codeOf(error) === '23505';
}
