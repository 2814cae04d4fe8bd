import { existsSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import type { Installation } from '../../contract/app.ts';

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
