import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, posix, win32 } from 'node:path';
import type { Installation } from '../../contract/app.ts';

/**
 * Folder of all files that the program stores for this person, the same for every host: the command line finds the connections that
 * were made in the window. Absolute; it need not exist. The core's own files are in `data` below it.
 */
export function programDir(platform: NodeJS.Platform = process.platform, env: NodeJS.ProcessEnv = process.env): string {
  const home = homedir();
  if (platform === 'win32') {
    const local = join(env.LOCALAPPDATA || join(home, 'AppData', 'Local'), 'Sealdesk');
    return movedFrom(join(env.APPDATA || join(home, 'AppData', 'Roaming'), 'Sealdesk'), local);
  }
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Sealdesk');
  // The base directory specification: a relative value is to be ignored.
  const config = env.XDG_CONFIG_HOME?.startsWith('/') ? env.XDG_CONFIG_HOME : join(home, '.config');
  return join(config, 'Sealdesk');
}

/**
 * Version 0.1 kept everything in the roaming profile, which Windows copies to a server at the end of a session: a database in use does not survive that. The folder is moved
 * once; where that is not possible (a program still has it open, or it lies on a server) it goes on being used.
 */
function movedFrom(roaming: string, local: string): string {
  if (existsSync(local) || !existsSync(roaming)) return local;
  try {
    mkdirSync(dirname(local), { recursive: true });
    renameSync(roaming, local);
    return local;
  } catch {
    return roaming;
  }
}

/** The core's folder in `programDir`, for `Ports.dataDir`. */
export function dataDirIn(programFolder: string): string {
  return join(programFolder, 'data');
}

interface Found {
  readonly platform: NodeJS.Platform;
  readonly isPackaged: boolean;
  readonly env: NodeJS.ProcessEnv;
  /** Absolute path of the program's file. */
  readonly program: string;
}

/** What put the program here, by where it runs from. A deb and an rpm install below /opt; of the Windows installers only NSIS lays its own remover beside the program. */
export function installationOf({ platform, isPackaged, env, program }: Found, exists = existsSync): Installation {
  if (!isPackaged) return 'source';
  if (platform === 'win32') {
    const remover = win32.join(win32.dirname(program), 'Uninstall Sealdesk.exe');
    return exists(remover) ? 'windows-installer' : 'windows-msi';
  }
  if (platform === 'darwin') return 'disk-image';
  if (env.APPIMAGE) return 'appimage';
  return /^\/(opt|usr)\//.test(program) ? 'package' : 'folder';
}

/** The folder in which an update replaces the program: on macOS the one that holds the app. */
export function programFolder(platform: NodeJS.Platform, program: string): string {
  if (platform === 'win32') return win32.dirname(program);
  return platform === 'darwin' ? posix.resolve(program, '../../../..') : posix.dirname(program);
}
