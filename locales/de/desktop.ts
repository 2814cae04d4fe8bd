import type { texts as english } from '../en/desktop.ts';
import type { Translation } from '../translation.ts';

export const texts: Translation<typeof english> = {
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
  cannotStart: {
    title: 'Sealdesk kann nicht starten',
    text: 'Der Ordner {{folder}} kann nicht benutzt werden ({{note}}). Nichts darin wurde geändert.',
  },
  hasToEnd: {
    title: 'Sealdesk muss beendet werden',
    text: 'Etwas Unerwartetes ist geschehen. Was gesendet wurde, ist festgehalten und wird beim nächsten Start gezeigt.',
  },
  unresponsive: {
    title: 'Das Fenster antwortet nicht',
    text: 'Begonnene Arbeit läuft ohne das Fenster weiter.',
    wait: 'Warten',
    reload: 'Neu laden',
  },
  ledger: {
    damaged: {
      title: 'Das Register ist beschädigt',
      text: 'Sealdesk kann sein Register in {{folder}} nicht lesen. Nichts wurde geändert. Legen Sie eine Kopie davon zurück oder fragen Sie den Support.',
    },
    missing: {
      title: 'Das Register ist weg',
      text: 'Von diesem Rechner wurden Dokumente gesendet, und das Register in {{folder}} ist weg oder leer. Nichts wurde geändert. Legen Sie eine Kopie davon zurück.',
    },
    newer: {
      title: 'Sealdesk wird in einer neueren Version gebraucht',
      text: 'Das Register wurde von Sealdesk {{version}} geschrieben. Installieren Sie diese oder eine neuere. Nichts wurde geändert.',
      anyText:
        'Das Register wurde von einer neueren Version geschrieben. Installieren Sie diese oder eine neuere. Nichts wurde geändert.',
    },
    full: {
      title: 'Der Datenträger ist voll',
      text: 'Sealdesk braucht Platz in {{folder}}. Schaffen Sie Platz und versuchen Sie es noch einmal. Nichts wurde gesendet.',
    },
    busy: {
      title: 'Ein anderes Programm benutzt das Register',
      text: 'Beenden Sie das andere Programm und versuchen Sie es noch einmal.',
    },
    emptyKnows:
      'Ein leeres Register weiß nicht, was gesendet wurde: Dieselben Dokumente könnten zweimal gesendet werden. Das alte bleibt ganz erhalten, mit den Kopien der Dokumente, und lässt sich zurückholen, sobald es repariert ist.',
    quit: 'Beenden',
    retry: 'Noch einmal versuchen',
    startEmpty: 'Leeres Register beginnen',
    mended: {
      title: 'Das beiseitegelegte Register ist wieder lesbar',
      text: 'Es wurde um {{name}} (UTC) beiseitegelegt. Holen Sie es zurück, wird das jetzige beiseitegelegt. Alles, was darin wartet, bleibt angehalten, bis Sie es angesehen haben.',
    },
    notNow: 'Nicht jetzt',
    takeBack: 'Zurückholen',
  },
};
