// Loaded by Electron before the program: the box that says why it cannot start is printed instead of shown, where nobody could close it.
const { dialog } = require('electron');

dialog.showErrorBox = (title, text) => process.stdout.write(`${JSON.stringify({ box: { title, text } })}\n`);
