import { app } from 'electron';
import { refuseDebuggers } from './shell/refuse-debuggers.ts';

// Entry of the program: its version, the command line or the window. Nothing of one is loaded for another.
refuseDebuggers();
const own = process.argv.slice(1);
// What follows the dashes belongs to the command line: the browser engine reads no switch in it.
const dashes = own.indexOf('--');
const isCommandLine = dashes >= 0 && own.slice(0, dashes).includes('--cli');

if (isCommandLine) {
  // The engine waits for this module before it looks for a display. A command that waits for nothing any more ends here instead of in a window.
  app.once('will-finish-launching', () => process.exit(process.exitCode));
  await import(new URL('../cli/sealdesk.js', import.meta.url).href);
  process.exit(process.exitCode);
} else if (own.includes('--version')) {
  // Asked by scripts of IT: no window, no second instance.
  console.info(__VERSION__);
  process.exit(0);
} else {
  await import('./main.ts');
}
