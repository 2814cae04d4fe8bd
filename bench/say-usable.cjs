const { app } = require('electron');

/*
 * Loaded before the program (`-r`): says when its window can be used, and quits when its input ends. From within, as the tools that drive a browser slow a page down by what they
 * listen to: a page with scripts much more than an empty one. Our window can be used when it moves the focus into its first screen; the empty one when it is loaded.
 */
app.once('web-contents-created', (_event, contents) => {
  contents.once('did-finish-load', async () => {
    await contents.executeJavaScript(`(${untilUsable})()`);
    process.stdout.write('usable\n');
    process.stdin.once('end', () => app.quit()).resume();
  });
});

async function untilUsable() {
  const main = () => document.getElementById('main');
  const isEmpty = document.title === 'empty';
  while (!isEmpty && !main()?.contains(document.activeElement)) await new Promise((later) => setTimeout(later, 4));
}

// The program takes arguments that are no switches for files.
process.argv.splice(process.argv.indexOf('-r'), 2);
