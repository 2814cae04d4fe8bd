const { app } = require('electron');

/*
 * Loaded before the program (`-r`). Playwright attaches while the program starts, and about once in a hundred starts it
 * meets a page that is just being made and waits for it for ever. Its own way around that is only taken where it chooses
 * Electron itself, and brings switches that change what is tested (it swaps the keychain, for one). So this holds the
 * one thing the program waits for, until Playwright calls what it always calls when it has attached.
 */
const attached = new Promise((done) => {
  globalThis.__playwright_run = done;
});
const whenReady = app.whenReady.bind(app);
app.whenReady = () => whenReady().then(() => attached);

// The program takes arguments that are no switches for files.
process.argv.splice(process.argv.indexOf('-r'), 2);
