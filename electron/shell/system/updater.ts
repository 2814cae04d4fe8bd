import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { app } from 'electron';
import { AppImageUpdater, MacUpdater, NsisUpdater, Provider, type UpdateInfo } from 'electron-updater';
import { type ProviderRuntimeOptions, parseUpdateInfo } from 'electron-updater/out/providers/Provider.js';
import type { OpenUpdater, UpdateSource } from '../../core/foundation/ports.ts';

/*
 * electron-updater compares versions, knows who is in a stage, keeps what was fetched, checks the publisher of a Windows installer and hands over to the systems'
 * installers. It makes no connection by itself: both places where it would are replaced by the core's own, which checks signature, size, time and hash.
 */

const cacheFolder = 'sealdesk-updater';

/** The signed offer in the words of electron-updater. Its files are named by addresses that lead nowhere: `fetch` knows the feed. */
function providerOf(source: UpdateSource) {
  return class SignedProvider extends Provider<UpdateInfo> {
    constructor(_options: unknown, _updater: unknown, runtime: ProviderRuntimeOptions) {
      super(runtime);
    }

    async getLatestVersion(): Promise<UpdateInfo> {
      const none = new URL('https://feed.invalid/');
      const offer = await source.offer((text) => parseUpdateInfo(text, 'feed', none));
      const { version, fileName, sha512, size, ...staged } = offer;
      return { version, files: [{ url: fileName, sha512, size }], path: fileName, sha512, releaseDate: '', ...staged };
    }

    resolveFiles({ files }: UpdateInfo) {
      return files.map((info) => ({ url: new URL(info.url, 'https://feed.invalid/'), info }));
    }
  };
}

function updaterFor(platform: NodeJS.Platform) {
  if (platform === 'win32') return new NsisUpdater();
  if (platform === 'darwin') return new MacUpdater();
  return new AppImageUpdater();
}

/** The updater of this system, for one feed. */
export function openUpdater(source: UpdateSource): OpenUpdater {
  const updater = updaterFor(process.platform);
  // Its messages hold addresses and paths; the core writes its own.
  updater.logger = null;
  updater.autoDownload = false;
  // Squirrel.Mac takes an update only while the program runs, and installs it at its end by itself.
  updater.autoInstallOnAppQuit = process.platform === 'darwin';
  updater.allowDowngrade = false;
  updater.allowPrerelease = false;
  // Parts of files would need requests of another kind.
  updater.disableDifferentialDownload = true;
  updater.disableWebInstaller = true;
  const config = { updaterCacheDirName: cacheFolder, publisherName: source.publisher };
  const { baseCachePath } = (updater as unknown as { readonly app: { readonly baseCachePath: string } }).app;
  // Instead of a file that electron-builder writes for a feed that is known when the program is packaged.
  Object.assign(updater, {
    configOnDisk: { value: Promise.resolve(config) },
    httpExecutor: { download: (_url: URL, path: string) => source.fetch(path) },
  });
  updater.setFeedURL({ provider: 'custom', updateProvider: providerOf(source) });
  return {
    check: async () => {
      const result = await updater.checkForUpdates();
      if (result === null) throw new Error('this program cannot be updated');
      const { version } = result.updateInfo;
      if (result.isUpdateAvailable) return { kind: 'newer', version };
      return { kind: updater.currentVersion.compare(version) > 0 ? 'older' : 'none', version };
    },
    download: async () => {
      // What an earlier run, or somebody else, left there is never read.
      await rm(join(baseCachePath, cacheFolder, 'pending'), { recursive: true, force: true });
      const [path] = await updater.downloadUpdate();
      if (path === undefined) throw new Error('nothing was fetched');
      return path;
    },
    install: (startsAgain) => {
      if (updater instanceof NsisUpdater && !updater.install(true, startsAgain)) throw new Error('not installed');
      // The core has replaced the file. The path is that of the AppImage: what runs is in a folder that is mounted only as long.
      if (updater instanceof AppImageUpdater && startsAgain) {
        app.relaunch({ execPath: process.env.APPIMAGE, args: [] });
      }
    },
    quit: () => (updater instanceof MacUpdater ? updater.quitAndInstall() : app.quit()),
  };
}
