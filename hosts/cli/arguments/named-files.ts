import { stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import type { Failure } from '../../../contract/failure.ts';
import type { FileToken } from '../../../contract/files.ts';
import type { LocatedSkip } from '../../../electron/core/files/scan-files.ts';
import { AppError, knownFailure } from '../../../electron/core/foundation/app-error.ts';
import { UsageError } from '../output/exit-code.ts';
import { failureText, nameOnLine, ownFailure } from '../output/printer.ts';
import { t } from '../output/texts.ts';
import type { Session } from '../session.ts';

/** The files that the arguments of a command name. Nothing has been sent yet. */
export type Taken = Awaited<ReturnType<typeof takeFiles>>;

type Purpose = 'register' | 'verify';

interface Argument {
  readonly typed: string;
  /** Its absolute path. */
  readonly path: string;
  readonly token: string;
  readonly isFolder: boolean;
}

/**
 * Looks at everything that the arguments name once, so that each file keeps its own path: of two files of one name none may be told as the other. Throws a UsageError
 * for a path that cannot be read.
 */
export async function takeFiles(session: Session, args: readonly string[], purpose: Purpose) {
  // The empty path means the current folder: an unset variable of a shell must not register all its files.
  if (args.includes('')) throw new UsageError(t('errors.emptyFileName'));
  const given: Argument[] = [];
  for (const [path, typed] of new Map(args.map((one) => [resolve(one), one]))) {
    given.push({ typed, path, ...(await accepted(session, path, typed)) });
  }
  const tokens = given.map(({ token }) => token);
  const intake = await session.ask('files.scan', { tokens, purpose });
  if (!intake.ok) throw new AppError(intake.failure);
  const found = session.core.foundFiles(intake.value.id);
  const isBelow = (folder: string, path: string) => path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
  const byPath = new Map(given.map((one) => [one.path, one]));
  const folders = given.filter(({ isFolder }) => isFolder);
  const argumentOf = (path: string) => byPath.get(path) ?? folders.find((one) => isBelow(one.path, path));
  const typedPath = ({ path }: { readonly path: string }) => {
    const argument = argumentOf(path);
    if (!argument) return path;
    return argument.path === path ? argument.typed : join(argument.typed, relative(argument.path, path));
  };
  const isPassedOver = ({ path, reason }: LocatedSkip) => argumentOf(path)?.path !== path && reason === 'file-not-pdf';
  const all = [...found.files, ...found.skipped];
  const isEmpty = (folder: Argument) => !all.some(({ path }) => path === folder.path || isBelow(folder.path, path));
  return {
    /** Null if nothing is left to send. */
    intakeId: found.files.length > 0 ? intake.value.id : null,
    /** Path of every file of the intake, in its order, relative as typed. */
    paths: found.files.map(typedPath),
    /** Files that were named or found but cannot be used. */
    unusable: found.skipped
      .filter((one) => !isPassedOver(one))
      .map((one) => ({ path: typedPath(one), failure: whyNot(one) })),
    /** Files in folders that are no PDF; this is no error. */
    passedOver: found.skipped.filter(isPassedOver).map(typedPath),
    /** Folders without any file. */
    emptyFolders: folders.filter(isEmpty).map(({ typed }) => typed),
  };
}

async function accepted(session: Session, path: string, typed: string): Promise<FileToken> {
  return session.core.acceptPath(path).catch((error: unknown) => {
    const failure = knownFailure(error);
    const file = nameOnLine(typed);
    throw new UsageError(
      failure.detail === 'file-missing'
        ? t('errors.fileMissing', { file })
        : t('errors.fileUnreadable', { file, why: failureText(failure) }),
    );
  });
}

/** Reasons with a sentence of their own; any other is named as it is. */
const reasons = [
  'file-missing',
  'file-denied',
  'file-locked',
  'too-many-open-files',
  'drive-error',
  'file-empty',
  'file-is-folder',
  'file-special',
  'file-name',
  'path-too-long',
  'file-not-pdf',
  'file-encrypted',
] as const;

function whyNot({ reason, kind }: Pick<LocatedSkip, 'reason' | 'kind'>): Failure {
  return ownFailure('file-unreadable', whyText(), { detail: reason });

  function whyText(): string {
    if (reason === 'file-not-pdf' && kind) return t('results.unusable.otherKind', { kind });
    if (reason === 'file-denied' && kind) return t('results.unusable.noFile', { kind });
    const known = reasons.find((one) => one === reason);
    return known ? t(`results.unusable.${known}`) : reason;
  }
}

/** Token of one file that an option names. Throws a UsageError if it cannot be read. */
export async function tokenOf(session: Session, option: string, path: string): Promise<string> {
  const token = await session.core.acceptPath(resolve(path)).catch(() => null);
  const isFile = await stat(path).then(
    (seen) => seen.isFile(),
    () => false,
  );
  if (!token || !isFile) throw new UsageError(t('errors.notAFile', { option, file: nameOnLine(path) }));
  return token.token;
}
