import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Folder of all files that the program stores for this person, the same for every host: the command line finds the connections that
 * were made in the window. Absolute; it need not exist. The core's own files are in `data` below it.
 */
export function programDir(platform: NodeJS.Platform = process.platform, env: NodeJS.ProcessEnv = process.env): string {
  const home = homedir();
  if (platform === 'win32') return join(env.APPDATA || join(home, 'AppData', 'Roaming'), 'Sealdesk');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Sealdesk');
  // The base directory specification: a relative value is to be ignored.
  const config = env.XDG_CONFIG_HOME?.startsWith('/') ? env.XDG_CONFIG_HOME : join(home, '.config');
  return join(config, 'Sealdesk');
}

/** The core's folder in `programDir`, for `Ports.dataDir`. */
export function dataDirIn(programFolder: string): string {
  return join(programFolder, 'data');
}
