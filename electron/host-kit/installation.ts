import type { Installation } from '../../contract/app.ts';

interface Found {
  readonly platform: NodeJS.Platform;
  readonly isPackaged: boolean;
  readonly env: NodeJS.ProcessEnv;
  /** Absolute path of the program's file. */
  readonly program: string;
}

/** What put the program here, by where it runs from. A deb and an rpm install below /opt. */
export function installationOf({ platform, isPackaged, env, program }: Found): Installation {
  if (!isPackaged) return 'source';
  if (platform === 'win32') return 'windows-installer';
  if (platform === 'darwin') return 'disk-image';
  if (env.APPIMAGE) return 'appimage';
  return /^\/(opt|usr)\//.test(program) ? 'package' : 'folder';
}
