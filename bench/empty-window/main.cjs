const { app, BrowserWindow } = require('electron');

// The least that Electron can show: what our window's start is compared with.
app.whenReady().then(() => {
  const window = new BrowserWindow({ width: 1200, height: 800, webPreferences: { sandbox: true } });
  void window.loadURL('data:text/html,<title>empty</title><p>empty');
});
app.on('window-all-closed', () => app.quit());
