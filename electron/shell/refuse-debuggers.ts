import { url as openInspector } from 'node:inspector';
import { app } from 'electron';

/** Switches of the browser engine by which other programs, or pages, get into the window. A debugger of the main process is held off by the fuses. */
const doors = [
  'remote-debugging-port',
  'remote-debugging-pipe',
  'remote-debugging-address',
  'remote-debugging-socket-name',
  'remote-debugging-targets',
  'remote-allow-origins',
  'auto-open-devtools-for-tabs',
  'disable-web-security',
  'load-extension',
  'js-flags',
  'browser-subprocess-path',
  'renderer-cmd-prefix',
  'utility-cmd-prefix',
  'gpu-launcher',
];

/**
 * Ends an installed program that was started with one of them: through the engine's port any program of this computer, of whichever person, reads and does what the window
 * can. Called while the engine waits for the program's entry, before it opens a port. Only a program whose main process has a debugger already goes on, which the fuses
 * allow in no package: the tests of packages look into a copy that differs from the package in that one fuse.
 */
export function refuseDebuggers(): void {
  if (!app.isPackaged || openInspector() !== undefined) return;
  const found = doors.find((name) => app.commandLine.hasSwitch(name));
  if (found === undefined) return;
  console.error(`sealdesk: --${found} is not allowed`);
  process.exit(2);
}
