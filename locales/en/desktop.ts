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
    window: '&Window',
    minimize: 'Minimize',
    zoomWindow: 'Zoom',
    front: 'Bring All to Front',
    help: '&Help',
    showLog: 'Show Log File',
    about: 'About Sealdesk',
    /** The following are for macOS only: the menu with the program's name. */
    services: 'Services',
    hide: 'Hide Sealdesk',
    hideOthers: 'Hide Others',
    showAll: 'Show All',
  },
  allFiles: 'All files',
  /** `note`: for support, in English. */
  cannotStart: {
    title: 'Sealdesk cannot start',
    text: 'The folder {{folder}} cannot be used ({{note}}). Nothing in it was changed.',
  },
  hasToEnd: {
    title: 'Sealdesk has to end',
    text: 'Something unexpected happened. What was sent is on record and shown at the next start.',
  },
  unresponsive: {
    title: 'The window does not respond',
    text: 'Work that has begun goes on without it.',
    wait: 'Wait',
    reload: 'Load Again',
  },
  /** Before there is a window: the register cannot be used, or a set-aside register can be used again. */
  ledger: {
    damaged: {
      title: 'The register is damaged',
      text: 'Sealdesk cannot read its register in {{folder}}. Nothing was changed. Put back a copy of it, or ask support.',
    },
    missing: {
      title: 'The register is gone',
      text: 'Documents were sent from this computer, and the register in {{folder}} is gone or empty. Nothing was changed. Put back a copy of it.',
    },
    newer: {
      title: 'A newer version of Sealdesk is needed',
      text: 'The register was written by Sealdesk {{version}}. Install that version or a newer one. Nothing was changed.',
      /** If that version is not known. */
      anyText: 'The register was written by a newer version. Install that version or a newer one. Nothing was changed.',
    },
    full: {
      title: 'The disk is full',
      text: 'Sealdesk needs room in {{folder}}. Free some space, then try again. Nothing was sent.',
    },
    busy: { title: 'Another program uses the register', text: 'End the other program, then try again.' },
    emptyKnows:
      'An empty register does not know what was sent: the same documents could be sent twice. The old one is kept whole, with the copies of documents, and can be taken back once it is repaired.',
    quit: 'Quit',
    retry: 'Try Again',
    startEmpty: 'Start an Empty Register',
    /** `name`: the time when it was set aside, as in the name of its folder. */
    mended: {
      title: 'The register that was set aside can be read again',
      text: 'It was set aside at {{name}} (UTC). If you take it back, the one in use is set aside. Everything that waits in it is held until you have looked at it.',
    },
    notNow: 'Not Now',
    takeBack: 'Take It Back',
  },
} as const;
