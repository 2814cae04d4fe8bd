import { statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { app } from 'electron';

/** More files than a desktop passes at once. */
const mostFiles = 10_000;

/**
 * Claims to be the only instance of the program, and keeps the files that it is given until the window can take them. Null if another instance runs: it has received this one's files, and
 * this one must end. Call before the app is ready: macOS emits `open-file` early.
 */
export function claimSingleInstance(onSecondInstance: () => void) {
  const waiting = filesInArguments(process.argv, process.cwd());
  if (!app.requestSingleInstanceLock({ files: waiting })) return null;
  let taker: ((paths: readonly string[]) => void) | null = null;
  const arrived = (paths: readonly string[]) => {
    if (paths.length === 0) return;
    if (taker) taker(paths);
    else waiting.push(...paths);
  };
  app.on('open-file', (event, path) => {
    event.preventDefault();
    arrived([path]);
  });
  app.on('second-instance', (_event, _argv, _folder, data) => {
    arrived(filesInMessage(data));
    onSecondInstance();
  });
  return {
    /** From now on `take` receives all files, first those that were kept. */
    connect(take: (paths: readonly string[]) => void) {
      taker = take;
      arrived(waiting.splice(0));
    },
    /** The window has closed and the program runs on: files are kept again, for the next window. */
    disconnect() {
      taker = null;
    },
  };
}

/**
 * Absolute paths of the files and folders among a program's arguments; switches and paths that do not exist are left
 * out.
 */
export function filesInArguments(argv: readonly string[], folder: string): string[] {
  const given = argv.slice(1).filter((word) => !word.startsWith('-'));
  // In an unpackaged app the first argument is the app's own folder.
  return given
    .slice(process.defaultApp ? 1 : 0)
    .map((word) => resolve(folder, word))
    .filter((path) => statSync(path, { throwIfNoEntry: false }) !== undefined)
    .slice(0, mostFiles);
}

/** The paths that another instance sent. It may be another version, so the message is checked, not trusted. */
function filesInMessage(data: unknown): string[] {
  if (typeof data !== 'object' || data === null || !('files' in data) || !Array.isArray(data.files)) return [];
  return data.files.filter((path): path is string => typeof path === 'string' && isAbsolute(path)).slice(0, mostFiles);
}
