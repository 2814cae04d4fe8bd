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
    guide: 'Handbuch',
    firstSteps: 'Erste Schritte',
    shortcuts: 'Tastenkürzel',
    showLog: 'Protokolldatei anzeigen',
    about: 'Über Sealdesk',
    services: 'Dienste',
    hide: 'Sealdesk ausblenden',
    hideOthers: 'Andere ausblenden',
    showAll: 'Alle einblenden',
  },
  tray: {
    open: 'Sealdesk öffnen',
    sending_one: '{{count}} Datei wird gesendet',
    sending_other: '{{count}} Dateien werden gesendet',
    tasks_one: '{{count}} Aufgabe läuft',
    tasks_other: '{{count}} Aufgaben laufen',
    nothing: 'Nichts in Arbeit',
  },
  allFiles: 'Alle Dateien',
  inClear: {
    title: '{{origin}} ist nicht verschlüsselt',
    text: 'Auf dem Weg zu diesem Dienst lassen sich Ihre Dokumente, der API-Schlüssel und die Signatur mitlesen und ändern. Verwenden Sie eine https-Adresse, wenn es eine gibt.',
    cancel: 'Abbrechen',
    save: 'Unverschlüsselt speichern',
  },
  cannotStart: {
    title: 'Sealdesk kann nicht starten',
    text: 'Der Ordner {{folder}} ist nicht verwendbar ({{note}}). Nichts darin wurde geändert.',
  },
  hasToEnd: {
    title: 'Sealdesk muss beendet werden',
    text: 'Etwas Unerwartetes ist geschehen. Gesendetes ist gespeichert und wird beim nächsten Start angezeigt.',
  },
  unresponsive: {
    title: 'Das Fenster antwortet nicht',
    text: 'Laufende Arbeit geht weiter.',
    wait: 'Warten',
    reload: 'Neu laden',
  },
  ledger: {
    damaged: {
      title: 'Die lokalen Aufzeichnungen sind beschädigt',
      text: 'Sealdesk kann seine Aufzeichnungen in {{folder}} nicht lesen. Nichts wurde geändert. Stellen Sie eine Sicherung wieder her oder fragen Sie den Support.',
    },
    missing: {
      title: 'Die lokalen Aufzeichnungen fehlen',
      text: 'Von diesem Computer wurden Dokumente gesendet, aber die Aufzeichnungen in {{folder}} fehlen oder sind leer. Nichts wurde geändert. Stellen Sie eine Sicherung wieder her.',
    },
    newer: {
      title: 'Eine neuere Version von Sealdesk ist nötig',
      text: 'Die lokalen Aufzeichnungen stammen von Sealdesk {{version}}. Installieren Sie diese oder eine neuere Version. Nichts wurde geändert.',
      anyText:
        'Die lokalen Aufzeichnungen stammen von einer neueren Version. Installieren Sie diese oder eine neuere. Nichts wurde geändert.',
    },
    full: {
      title: 'Der Datenträger ist voll',
      text: 'Sealdesk braucht Platz in {{folder}}. Schaffen Sie Platz und versuchen Sie es erneut. Nichts wurde gesendet.',
    },
    busy: {
      title: 'Ein anderes Programm verwendet die lokalen Aufzeichnungen',
      text: 'Schließen Sie das andere Programm und versuchen Sie es erneut.',
    },
    emptyKnows:
      'Leere Aufzeichnungen zeigen nicht, was gesendet wurde: Dieselben Dokumente könnten zweimal gesendet werden. Die alten bleiben erhalten und lassen sich nach einer Reparatur wiederherstellen.',
    quit: 'Beenden',
    retry: 'Erneut versuchen',
    startEmpty: 'Mit leeren Aufzeichnungen beginnen',
    mended: {
      title: 'Die früheren Aufzeichnungen sind wieder lesbar',
      text: 'Sie wurden um {{name}} (UTC) beiseitegelegt. Stellen Sie sie wieder her, werden die jetzigen beiseitegelegt; wartende Vorgänge bleiben angehalten, bis Sie sie angesehen haben.',
    },
    notNow: 'Nicht jetzt',
    takeBack: 'Wiederherstellen',
  },
};
