import { stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { Failure } from '../../contract/failure.ts';
import type { SelectedFile, SkippedFile } from '../../contract/files.ts';
import { AppError, failureOf } from '../../electron/core/foundation/app-error.ts';
import { failureText, ownFailure } from './failure-text.ts';
import { nameOnLine } from './printer.ts';
import type { Session } from './session.ts';
import type { Saying } from './texts.ts';
import { UsageError } from './usage-error.ts';

/** The files that the arguments of a command name. Nothing has been sent yet. */
export interface Taken {
  /** Null if nothing is left to send. */
  readonly intakeId: string | null;
  /** Path of every file of the intake, in its order, relative as typed. */
  readonly paths: readonly string[];
  /** Files that were named or found but cannot be used. */
  readonly unusable: readonly { readonly path: string; readonly failure: Failure }[];
  /** Files in folders that are no PDF; this is no error. */
  readonly passedOver: readonly string[];
  /** Folders without any file. */
  readonly emptyFolders: readonly string[];
}

type Purpose = 'register' | 'verify';

interface Located {
  readonly path: string;
  readonly name: string;
  readonly folder: string;
}

interface ScannedArgument {
  /** The argument as typed. */
  readonly arg: string;
  readonly token: string;
  readonly isFolder: boolean;
  readonly files: readonly Located[];
  readonly skipped: readonly (Located & Pick<SkippedFile, 'reason' | 'kind'>)[];
}

/**
 * Scans each argument separately, to know the path of each file, then all usable files together. Throws a UsageError for a path that cannot be read.
 */
export async function takeFiles(session: Session, args: readonly string[], purpose: Purpose): Promise<Taken> {
  // The empty path means the current folder: an unset variable of a shell must not register all its files.
  if (args.includes('')) throw new UsageError((t) => t('errors.emptyFileName'));
  const scanned: ScannedArgument[] = [];
  for (const arg of new Map(args.map((path) => [resolve(path), path])).values()) {
    scanned.push(await scanArgument(session, arg, purpose));
  }
  const usable = scanned.filter(({ files }) => files.length > 0);
  const skipped = scanned.flatMap(({ skipped: files, isFolder }) =>
    files.map((file) => ({ ...file, inFolder: isFolder })),
  );
  const isPassedOver = (file: (typeof skipped)[number]) => file.inFolder && file.reason === 'file-not-pdf';
  const unusable = skipped
    .filter((file) => !isPassedOver(file))
    .map((file) => ({ path: file.path, failure: whyNot(file) }));
  const passedOver = skipped.filter(isPassedOver).map(({ path }) => path);
  const emptyFolders = scanned
    .filter((one) => one.isFolder && one.files.length === 0 && one.skipped.length === 0)
    .map(({ arg }) => arg);
  if (usable.length === 0) return { intakeId: null, paths: [], unusable, passedOver, emptyFolders };
  const intake = await scan(
    session,
    usable.map(({ token }) => token),
    purpose,
  );
  const { paths, missing } = inOrder(
    usable.flatMap(({ files }) => files),
    await allOf(session, intake.id, 'files', intake.fileCount),
  );
  const gone = noLonger(missing, await allOf(session, intake.id, 'skipped', intake.skippedCount));
  return {
    intakeId: paths.length > 0 ? intake.id : null,
    paths,
    unusable: [...unusable, ...gone],
    passedOver,
    emptyFolders,
  };
}

async function scanArgument(session: Session, arg: string, purpose: Purpose): Promise<ScannedArgument> {
  const { token, isFolder } = await session.core.acceptPath(resolve(arg)).catch((error: unknown) => {
    const failure = failureOf(error);
    if (!failure) throw error;
    const file = nameOnLine(arg);
    throw new UsageError((t) =>
      failure.detail === 'file-missing'
        ? t('errors.fileMissing', { file })
        : t('errors.fileUnreadable', { file, why: failureText(t, failure) }),
    );
  });
  const intake = await scan(session, [token], purpose);
  // The folder of an entry begins with the name of the dropped folder.
  const path = (file: { name: string; folder: string }) => {
    if (!isFolder) return arg;
    const below = file.folder.split('/').slice(1);
    return file.folder === '' && file.name === basename(resolve(arg)) ? arg : join(arg, ...below, file.name);
  };
  const located = <T extends { name: string; folder: string }>(file: T) => ({ ...file, path: path(file) });
  return {
    arg,
    token,
    isFolder,
    files: (await allOf(session, intake.id, 'files', intake.fileCount)).map(located),
    skipped: (await allOf(session, intake.id, 'skipped', intake.skippedCount)).map(located),
  };
}

async function scan(session: Session, tokens: string[], purpose: Purpose) {
  const intake = await session.ask('files.scan', { tokens, purpose });
  if (!intake.ok) throw new AppError(intake.failure);
  return intake.value;
}

type Pages = { readonly files: SelectedFile; readonly skipped: SkippedFile };

async function allOf<W extends keyof Pages>(
  session: Session,
  intakeId: string,
  which: W,
  count: number,
): Promise<Pages[W][]> {
  const all: Pages[W][] = [];
  while (all.length < count) {
    const page = await session.ask('files.page', { intakeId, which, offset: all.length, limit: 500 });
    if (!page.ok) throw new AppError(page.failure);
    const entries = page.value[which] as readonly Pages[W][];
    if (entries.length === 0) break;
    all.push(...entries);
  }
  return all;
}

/**
 * Matches the files of the common scan with those of the single scans. A file of two arguments comes once; files that cannot be used any more are
 * `missing`.
 */
function inOrder(
  seen: readonly Located[],
  taken: readonly SelectedFile[],
): { readonly paths: string[]; readonly missing: Located[] } {
  const left: Located[] = [];
  let at = 0;
  const paths = taken.map(({ name, folder }) => {
    for (; at < seen.length; at += 1) {
      const one = seen[at] as Located;
      if (one.name === name && one.folder === folder) break;
      left.push(one);
    }
    const path = seen[at]?.path ?? join(folder, name);
    at += 1;
    return path;
  });
  const known = new Set(paths.map((path) => resolve(path)));
  return { paths, missing: [...left, ...seen.slice(at)].filter(({ path }) => !known.has(resolve(path))) };
}

/** Files that became unusable after the first scan, each with the reason. */
function noLonger(
  missing: readonly Located[],
  skipped: readonly SkippedFile[],
): readonly { readonly path: string; readonly failure: Failure }[] {
  const keyOf = ({ name, folder }: { readonly name: string; readonly folder: string }) => `${folder}/${name}`;
  const reasonsOf = new Map(skipped.map((one) => [keyOf(one), one]));
  const byPath = new Map(missing.map((one) => [resolve(one.path), one]));
  return [...byPath.values()].map((one) => ({
    path: one.path,
    failure: whyNot(reasonsOf.get(keyOf(one)) ?? { reason: 'file-missing' }),
  }));
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
  'path-too-long',
  'file-not-pdf',
  'file-encrypted',
] as const;

function whyNot({ reason, kind }: Pick<SkippedFile, 'reason' | 'kind'>): Failure {
  const known = reasons.find((one) => one === reason);
  const say: Saying = (t) => {
    if (reason === 'file-not-pdf' && kind) return t('results.unusable.otherKind', { kind });
    if (reason === 'file-denied' && kind) return t('results.unusable.noFile', { kind });
    return known ? t(`results.unusable.${known}`) : reason;
  };
  return ownFailure('file-unreadable', say, { detail: reason });
}

/** Token of one file that an option names. Throws a UsageError if it cannot be read. */
export async function tokenOf(session: Session, option: string, path: string): Promise<string> {
  const token = await session.core.acceptPath(resolve(path)).catch(() => null);
  const isFile = await stat(path).then(
    (seen) => seen.isFile(),
    () => false,
  );
  if (!token || !isFile) throw new UsageError((t) => t('errors.notAFile', { option, file: nameOnLine(path) }));
  return token.token;
}
