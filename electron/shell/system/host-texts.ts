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
  readonly cannotStart: (folder: string, note: string) => Box;
  readonly hasToEnd: Box;
  /** Before there is a window: the register cannot be worked with, or one that was set aside can be again. */
  readonly ledger: {
    readonly damaged: (folder: string) => Box;
    readonly missing: (folder: string) => Box;
    /** `version`: of the program that is needed, where it is known. */
    readonly newer: (version: string | null) => Box;
    readonly full: (folder: string) => Box;
    readonly busy: Box;
    readonly emptyKnows: string;
    readonly quit: string;
    readonly retry: string;
    readonly startEmpty: string;
    /** `name`: when it was set aside, as its folder is called. */
    readonly mended: (name: string) => Box;
    readonly notNow: string;
    readonly takeBack: string;
  };
}

export interface Box {
  readonly title: string;
  readonly text: string;
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
  ledger: {
    damaged: (folder) => ({
      title: 'The register is damaged',
      text: `Sealdesk cannot read its register in ${folder}. Nothing was changed. Put back a copy of it, or ask support.`,
    }),
    missing: (folder) => ({
      title: 'The register is gone',
      text: `Documents were sent from this computer, and the register in ${folder} is gone or empty. Nothing was changed. Put back a copy of it.`,
    }),
    newer: (version) => ({
      title: 'A newer version of Sealdesk is needed',
      text: `The register was written by ${version ? `Sealdesk ${version}` : 'a newer version'}. Install that version or a newer one. Nothing was changed.`,
    }),
    full: (folder) => ({
      title: 'The disk is full',
      text: `Sealdesk needs room in ${folder}. Free some space, then try again. Nothing was sent.`,
    }),
    busy: { title: 'Another program uses the register', text: 'End the other program, then try again.' },
    emptyKnows:
      'An empty register does not know what was sent: the same documents could be sent twice. The old one is kept whole, with the copies of documents, and can be taken back once it is repaired.',
    quit: 'Quit',
    retry: 'Try Again',
    startEmpty: 'Start an Empty Register',
    mended: (name) => ({
      title: 'The register that was set aside can be read again',
      text: `It was set aside at ${name} (UTC). If you take it back, the one in use is set aside. Everything that waits in it is held until you have looked at it.`,
    }),
    notNow: 'Not Now',
    takeBack: 'Take It Back',
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
  ledger: {
    damaged: (folder) => ({
      title: 'Das Register ist beschädigt',
      text: `Sealdesk kann sein Register in ${folder} nicht lesen. Nichts wurde geändert. Legen Sie eine Kopie davon zurück oder fragen Sie den Support.`,
    }),
    missing: (folder) => ({
      title: 'Das Register ist weg',
      text: `Von diesem Rechner wurden Dokumente gesendet, und das Register in ${folder} ist weg oder leer. Nichts wurde geändert. Legen Sie eine Kopie davon zurück.`,
    }),
    newer: (version) => ({
      title: 'Sealdesk wird in einer neueren Version gebraucht',
      text: `Das Register wurde von ${version ? `Sealdesk ${version}` : 'einer neueren Version'} geschrieben. Installieren Sie diese oder eine neuere. Nichts wurde geändert.`,
    }),
    full: (folder) => ({
      title: 'Der Datenträger ist voll',
      text: `Sealdesk braucht Platz in ${folder}. Schaffen Sie Platz und versuchen Sie es noch einmal. Nichts wurde gesendet.`,
    }),
    busy: {
      title: 'Ein anderes Programm benutzt das Register',
      text: 'Beenden Sie das andere Programm und versuchen Sie es noch einmal.',
    },
    emptyKnows:
      'Ein leeres Register weiß nicht, was gesendet wurde: Dieselben Dokumente könnten zweimal gesendet werden. Das alte bleibt ganz erhalten, mit den Kopien der Dokumente, und lässt sich zurückholen, sobald es repariert ist.',
    quit: 'Beenden',
    retry: 'Noch einmal versuchen',
    startEmpty: 'Leeres Register beginnen',
    mended: (name) => ({
      title: 'Das beiseitegelegte Register ist wieder lesbar',
      text: `Es wurde um ${name} (UTC) beiseitegelegt. Holen Sie es zurück, wird das jetzige beiseitegelegt. Alles, was darin wartet, bleibt angehalten, bis Sie es angesehen haben.`,
    }),
    notNow: 'Nicht jetzt',
    takeBack: 'Zurückholen',
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
