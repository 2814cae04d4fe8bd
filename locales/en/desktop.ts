import { screens } from './shared/screens.ts';

/** Texts of the desktop outside of the window: menu, system dialogs, message boxes while there is no window. */
export const texts = {
  menu: {
    file: '&File',
    openFiles: 'Open Files…',
    openFolder: 'Open Folder…',
    closeWindow: 'Close Window',
    quit: 'Quit Sealdesk',
    edit: '&Edit',
    undo: 'Undo',
    redo: 'Redo',
    cut: 'Cut',
    copy: 'Copy',
    paste: 'Paste',
    delete: 'Delete',
    selectAll: 'Select All',
    view: '&View',
    actualSize: 'Actual Size',
    zoomIn: 'Zoom In',
    zoomOut: 'Zoom Out',
    fullScreen: 'Full Screen',
    go: '&Go',
    back: 'Back',
    forward: 'Forward',
    newRequest: 'New Request',
    refresh: 'Refresh',
    next: 'Next in List',
    previous: 'Previous in List',
    window: '&Window',
    minimize: 'Minimize',
    zoomWindow: 'Zoom',
    front: 'Bring All to Front',
    help: '&Help',
    guide: 'User Guide',
    firstSteps: 'First Steps',
    shortcuts: 'Keyboard Shortcuts',
    showLog: 'Show Log File',
    about: 'About Sealdesk',
    /** The following are for macOS only: the menu with the program's name. */
    services: 'Services',
    hide: 'Hide Sealdesk',
    hideOthers: 'Hide Others',
    showAll: 'Show All',
  },
  /** The menu of the icon in the tray. */
  tray: {
    open: 'Open Sealdesk',
    sending_one: 'Sending {{count}} file',
    sending_other: 'Sending {{count}} files',
    tasks_one: '{{count}} task running',
    tasks_other: '{{count}} tasks running',
    inCountdown: 'Can be taken back: {{shown}}',
    waiting: 'Waiting: {{shown}}',
    nothing: 'Nothing running',
  },
  screens,
  allFiles: 'All files',
  /** Before a connection to another computer is saved without encryption. */
  inClear: {
    title: '{{origin}} is not encrypted',
    text: 'Anyone on the way to this service can read and change your documents, API key and signature. Use an https address if there is one.',
    cancel: 'Cancel',
    save: 'Save without Encryption',
  },
  /** `note`: for support, in English. */
  cannotStart: {
    title: 'Sealdesk cannot start',
    text: 'The folder {{folder}} cannot be used ({{note}}). Nothing in it was changed.',
  },
  hasToEnd: {
    title: 'Sealdesk must close',
    text: 'Something unexpected happened. Sent work is saved and shown at the next start.',
  },
  unresponsive: {
    title: 'The window does not respond',
    text: 'Running work continues.',
    wait: 'Wait',
    reload: 'Reload',
  },
  /** Before there is a window: the local records cannot be used, or set-aside ones can be used again. */
  ledger: {
    damaged: {
      title: 'The local records are damaged',
      text: 'Sealdesk cannot read its records in {{folder}}. Nothing was changed. Restore a backup, or ask support.',
    },
    missing: {
      title: 'The local records are missing',
      text: 'Documents were sent from this computer, but the records in {{folder}} are missing or empty. Nothing was changed. Restore a backup.',
    },
    newer: {
      title: 'A newer version of Sealdesk is needed',
      text: 'The local records were written by Sealdesk {{version}}. Install that version or a newer one. Nothing was changed.',
      /** If that version is not known. */
      anyText:
        'The local records were written by a newer version. Install that version or a newer one. Nothing was changed.',
    },
    full: {
      title: 'The disk is full',
      text: 'Sealdesk needs room in {{folder}}. Free some space, then try again. Nothing was sent.',
    },
    busy: { title: 'Another program is using the local records', text: 'Close the other program, then try again.' },
    emptyKnows:
      'Empty records do not show what was sent: the same documents could be sent twice. The old records are kept and can be restored once repaired.',
    quit: 'Quit',
    retry: 'Try Again',
    startEmpty: 'Start with Empty Records',
    /** `name`: the time when it was set aside, as in the name of its folder. */
    mended: {
      title: 'The earlier records can be read again',
      text: 'They were set aside at {{name}} (UTC). If you restore them, the current ones are set aside, and waiting jobs are held until you have checked them.',
    },
    notNow: 'Not Now',
    takeBack: 'Restore',
  },
} as const;
