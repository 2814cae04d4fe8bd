/** What the desktop itself says outside of the window: menu, dialogs of the system, boxes before there is a window and after there can be none. */
export interface HostTexts {
  readonly menu: {
    readonly file: string;
    readonly openFiles: string;
    readonly openFolder: string;
    readonly closeWindow: string;
    readonly quit: string;
    readonly edit: string;
    readonly undo: string;
    readonly redo: string;
    readonly cut: string;
    readonly copy: string;
    readonly paste: string;
    readonly delete: string;
    readonly selectAll: string;
    readonly view: string;
    readonly actualSize: string;
    readonly zoomIn: string;
    readonly zoomOut: string;
    readonly fullScreen: string;
    readonly window: string;
    readonly minimize: string;
    readonly zoomWindow: string;
    readonly front: string;
    readonly help: string;
    readonly showLog: string;
    readonly about: string;
    /** macOS: of the menu that has the program's name. */
    readonly services: string;
    readonly hide: string;
    readonly hideOthers: string;
    readonly showAll: string;
  };
  readonly allFiles: string;
  /** `note`: for support, in English. */
  readonly cannotStart: (folder: string, note: string) => { readonly title: string; readonly text: string };
  readonly hasToEnd: { readonly title: string; readonly text: string };
}

const en: HostTexts = {
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
    services: 'Services',
    hide: 'Hide Sealdesk',
    hideOthers: 'Hide Others',
    showAll: 'Show All',
  },
  allFiles: 'All files',
  cannotStart: (folder, note) => ({
    title: 'Sealdesk cannot start',
    text: `The folder ${folder} cannot be used (${note}). Nothing in it was changed.`,
  }),
  hasToEnd: {
    title: 'Sealdesk has to end',
    text: 'Something unexpected happened. What was sent is on record and shown at the next start.',
  },
};

const de: HostTexts = {
  menu: {
    file: '&Datei',
    openFiles: 'Dateien öffnen…',
    openFolder: 'Ordner öffnen…',
    closeWindow: 'Fenster schließen',
    quit: 'Sealdesk beenden',
    edit: '&Bearbeiten',
    undo: 'Rückgängig',
    redo: 'Wiederholen',
    cut: 'Ausschneiden',
    copy: 'Kopieren',
    paste: 'Einfügen',
    delete: 'Löschen',
    selectAll: 'Alles auswählen',
    view: '&Ansicht',
    actualSize: 'Originalgröße',
    zoomIn: 'Vergrößern',
    zoomOut: 'Verkleinern',
    fullScreen: 'Vollbild',
    window: '&Fenster',
    minimize: 'Minimieren',
    zoomWindow: 'Zoomen',
    front: 'Alle nach vorne bringen',
    help: '&Hilfe',
    showLog: 'Protokolldatei zeigen',
    about: 'Über Sealdesk',
    services: 'Dienste',
    hide: 'Sealdesk ausblenden',
    hideOthers: 'Andere ausblenden',
    showAll: 'Alle einblenden',
  },
  allFiles: 'Alle Dateien',
  cannotStart: (folder, note) => ({
    title: 'Sealdesk kann nicht starten',
    text: `Der Ordner ${folder} kann nicht benutzt werden (${note}). Nichts darin wurde geändert.`,
  }),
  hasToEnd: {
    title: 'Sealdesk muss beendet werden',
    text: 'Etwas Unerwartetes ist geschehen. Was gesendet wurde, ist festgehalten und wird beim nächsten Start gezeigt.',
  },
};

/**
 * `preference`: as in the settings; `system` takes the first of `systemTags` (BCP 47, as the person ordered them) that there are texts for, as the window
 * does. English where there is none.
 */
export function hostTexts(preference: string, systemTags: readonly string[]): HostTexts {
  const wanted = preference === 'system' ? systemTags : [preference];
  const known = wanted.find((tag) => /^(de|en)\b/i.test(tag));
  return known !== undefined && /^de\b/i.test(known) ? de : en;
}
