import { existsSync, mkdirSync } from 'node:fs';
import { join, parse } from 'node:path';
import type { Ports } from '../../electron/core/foundation/ports.ts';
import { createKeychain } from '../../electron/host-kit/keychain.ts';
import { createLogFile } from '../../electron/host-kit/log-file.ts';
import { systemPolicy } from '../../electron/host-kit/system-policy.ts';
import { environmentNetwork, practicePort, systemLanguages } from '../ports/node-ports.ts';

/**
 * Ports of the preview. There are no system dialogs: the page chooses files itself, and all downloads go to the
 * folder Downloads in the data folder. `say` prints for the person at the terminal what a desktop would show.
 */
export function previewPorts(dataDir: string, assetsDir: string, say: (text: string) => void): Ports {
  const downloads = join(dataDir, 'Downloads');
  const logFile = join(dataDir, 'preview.log');
  return {
    host: 'preview',
    version: __VERSION__,
    installation: 'source',
    isSandboxed: true,
    hasTray: Promise.resolve(false),
    logFile,
    dataDir,
    assetsDir,
    licencesFile: join(assetsDir, '..', 'dist', 'licences.json'),
    keychain: createKeychain(),
    dialogs: {
      // Files to read are chosen by the page (page-bridge.js); a call here chooses a folder to write to.
      chooseFiles: async (kind) => {
        if (kind !== 'folder') return null;
        mkdirSync(downloads, { recursive: true, mode: 0o700 });
        say(`Downloads: ${downloads}`);
        return [downloads];
      },
      chooseTarget: async (suggestedName) => {
        const target = freePath(downloads, suggestedName);
        say(`Download: ${target}`);
        return target;
      },
      confirmInClear: async (origin) => {
        say(`Not saved: ${origin} is not encrypted, and only the desktop program can ask about that.`);
        return false;
      },
    },
    desktop: {
      showInFolder: async (path) => say(`Saved as ${path}`),
      openInBrowser: async (url) => say(`Open ${url}`),
      openFile: async (path) => say(`Open ${path}`),
    },
    notifications: { show: ({ title, body }) => say(`${title}: ${body}`) },
    network: environmentNetwork(process.env),
    systemLanguages,
    practice: practicePort(assetsDir),
    policy: systemPolicy(),
    log: createLogFile(logFile),
  };
}

/**
 * A path that does not exist yet. The suggested name comes from a service or a window: only plain signs of it are
 * kept.
 */
export function freePath(folder: string, suggestedName: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const plain =
    suggestedName
      .replace(/[^\p{L}\p{M}\p{N} ._()-]/gu, '_')
      .replace(/^\.+/, '_')
      .slice(0, 120) || 'document.pdf';
  const { name, ext } = parse(plain);
  for (let n = 1; ; n += 1) {
    const path = join(folder, n === 1 ? plain : `${name} (${n})${ext}`);
    if (!existsSync(path)) return path;
  }
}
