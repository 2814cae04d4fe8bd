import { electronForTests, fetchElectron, installedElectron } from './electron-runtime.mjs';
import { which, whyNoDisplay } from './setup.mjs';

/** How tests start Electron here: environment and command prefix, or the reason why they cannot. */
export async function electronRun() {
  const xvfb = whyNoDisplay() ? which('xvfb-run') : null;
  if (whyNoDisplay() && !xvfb) return { reason: `${whyNoDisplay()}, and xvfb-run is not installed` };
  const env = {};
  if (!installedElectron()) {
    const folder = electronForTests();
    const reason = folder ? null : await fetchElectron();
    if (reason) return { reason };
    if (folder) env.ELECTRON_OVERRIDE_DIST_PATH = folder;
  }
  return { env, before: xvfb ? [xvfb, '-a'] : [] };
}
