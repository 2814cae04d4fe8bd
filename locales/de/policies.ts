import type { texts as english } from '../en/policies.ts';
import type { Translation } from '../translation.ts';

export const texts: Translation<typeof english> = {
  category: 'Sealdesk',
  recommended: 'Empfohlen (von Benutzern änderbar)',
  supported: 'Sealdesk',
  explain: 'Aktiviert: Der Wert gilt und kann von Benutzern nicht geändert werden.',
  explainRecommended: 'Aktiviert: Der Wert gilt, bis jemand einen anderen wählt.',
  settings: {
    theme: { name: 'Farben', help: 'Farben des Fensters.' },
    language: { name: 'Sprache', help: 'Sprache von Fenster, Menüs und Benachrichtigungen.' },
    notifications: {
      name: 'Benachrichtigungen',
      help: 'Desktop-Benachrichtigungen zu Unterschriftsanforderungen und Fristen.',
    },
    tray: { name: 'Symbol im Infobereich', help: 'Zeigt ein Symbol im Infobereich des Systems.' },
    closeToTray: {
      name: 'Ohne Fenster weiterlaufen',
      help: 'Das Programm läuft nach dem Schließen des Fensters weiter, solange sein Symbol im Infobereich zu sehen ist.',
    },
    atOnce: {
      name: 'Dateien gleichzeitig',
      help: 'Dateien, die über alle Verbindungen gleichzeitig gesendet oder geprüft werden.',
    },
    requestWait: {
      name: 'Sekunden zum Zurücknehmen von Anforderungen',
      help: 'Sekunden, in denen Unterschriftsanforderungen und Notizen zurückgenommen werden können, bevor sie gesendet werden.',
    },
    registerWait: {
      name: 'Sekunden zum Zurücknehmen von Registrierungen',
      help: 'Sekunden, in denen Registrierungen zurückgenommen werden können, bevor sie gesendet werden.',
    },
    callsPerHour: {
      name: 'Automatische Aufrufe pro Stunde',
      help: 'Höchstzahl der Aufrufe, die das Programm von selbst in einer Stunde an Dienste richtet.',
    },
    automaticCalls: {
      name: 'Automatisch aktualisieren',
      help: 'Ob das Programm von selbst den Stand von Unterschriftsanforderungen abfragt.',
    },
    connections: {
      name: 'Verbindungen',
      help: 'Verbindungen für alle, als JSON-Liste. Was eine Verbindung nennt, ist gesperrt; Zugangsdaten kann sie nicht enthalten.',
    },
    ownConnections: {
      name: 'Eigene Verbindungen',
      help: 'Ob Benutzer Verbindungen hinzufügen und solche verwenden dürfen, die keine Richtlinie vorgibt.',
    },
    proxy: {
      name: 'Proxy',
      help: 'Proxy aller Verbindungen: system, none oder eine Adresse wie http://proxy.example:3128.',
    },
    extraCa: {
      name: 'Weitere Zertifizierungsstellen',
      help: 'Zertifikate in PEM, denen alle Verbindungen außer denen des Systems vertrauen.',
    },
    parallel: { name: 'Uploads pro Verbindung', help: 'Gleichzeitige Uploads über jede Verbindung.' },
    verifyPerMinute: {
      name: 'Prüfungen pro Minute',
      help: 'Höchstzahl der Aufrufe pro Minute zum Prüfen von Dateien, für jede Verbindung.',
    },
    updates: {
      name: 'Automatische Aktualisierung',
      help: 'Ob sich das Programm selbst aktualisieren darf. Ohne Adresse und Schlüssel tut es das nie.',
    },
    updateFeed: {
      name: 'Adresse der Aktualisierungen',
      help: 'Adresse des Ordners mit Aktualisierungen: https, oder http auf diesem Computer.',
    },
    updateKey: {
      name: 'Schlüssel der Aktualisierungen',
      help: 'Öffentliche Ed25519-Schlüssel (Base64, DER), durch Leerzeichen getrennt; einer davon muss die Liste signiert haben.',
    },
    updatePublisher: {
      name: 'Herausgeber der Aktualisierungen',
      help: 'Windows: Name im Zertifikat der Signatur des Installers.',
    },
    requestWaitAtLeast: {
      name: 'Mindestens Sekunden zum Zurücknehmen von Anforderungen',
      help: 'Das Wenigste, das Benutzer für Anforderungen und Notizen wählen können.',
    },
    registerWaitAtLeast: {
      name: 'Mindestens Sekunden zum Zurücknehmen von Registrierungen',
      help: 'Das Wenigste, das Benutzer für Registrierungen wählen können.',
    },
    trustedCertificates: {
      name: 'Bekannte Zertifikate',
      help: 'Ordner mit den Zertifikaten (.cer, .crt, .der, .pem) von Zertifizierungsstellen und Unterzeichnern, die die Organisation kennt.',
    },
    trustList: {
      name: 'Vertrauensliste',
      help: 'Datei mit Vertrauenslisten, wie sealdesk-cli trust-list sie schreibt.',
    },
    exportLists: {
      name: 'Listen exportieren',
      help: 'Ob Benutzer Listen speichern dürfen: Anforderungen, Ergebnisse des Serienversands, registrierte Dokumente, Adressbuch, Antworten, Vorlagen.',
    },
    exportReports: { name: 'Prüfberichte exportieren', help: 'Ob Benutzer Prüfberichte speichern dürfen.' },
    exportReceipts: { name: 'Sendebelege exportieren', help: 'Ob Benutzer Sendebelege speichern dürfen.' },
    exportDiagnostics: {
      name: 'Diagnose exportieren',
      help: 'Ob Benutzer den Diagnosebericht für den Support speichern dürfen.',
    },
    saveDocuments: { name: 'Dokumente speichern', help: 'Ob Benutzer Dokumente in Dateien herunterladen dürfen.' },
  },
};
