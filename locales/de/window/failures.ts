import type { Catalogue } from '../../en/window/window.ts';
import { teamFailures } from '../shared/team-failures.ts';

export const deFailures: Catalogue['failures'] = {
  code: {
    'bad-input': {
      heading: 'Einige Eingaben sind ungültig',
      advice: 'Berichtigen Sie die markierten Felder und versuchen Sie es erneut.',
    },
    'not-found': {
      heading: 'Nicht gefunden',
      advice: 'Es wurde inzwischen entfernt. Gehen Sie zurück zur Liste.',
    },
    'not-connected': {
      heading: 'Die Verbindung hat keine Zugangsdaten',
      advice: 'Geben Sie unter „Verbindungen“ API-Schlüssel und Signatur ein. Beide stehen im Portal des Dienstes.',
    },
    'credentials-rejected': {
      heading: 'Der Dienst lehnt die Zugangsdaten ab',
      advice:
        'Geben Sie unter „Verbindungen“ API-Schlüssel und Signatur erneut ein, wie das Portal des Dienstes sie zeigt.',
    },
    'service-refused': {
      heading: 'Der Dienst hat abgelehnt',
      advice: 'Seine Antwort steht unten. Berichtigen Sie, was sie nennt, oder fragen Sie den Support des Dienstes.',
    },
    'service-unreachable': {
      heading: 'Der Dienst ist nicht erreichbar',
      advice: 'Nichts wurde gesendet. Prüfen Sie das Netz oder nutzen Sie „Verbindung testen“ unter „Verbindungen“.',
    },
    'service-timeout': {
      heading: 'Der Dienst hat zu lange gebraucht',
      advice: 'Versuchen Sie es später erneut oder erlauben Sie in der Verbindung mehr Zeit.',
    },
    'outcome-unknown': {
      heading: 'Keine klare Antwort erhalten',
      advice: 'Es ist vielleicht geschehen. Sehen Sie beim Dienst nach, bevor Sie erneut senden.',
    },
    'reply-unreadable': {
      heading: 'Die Antwort stammt nicht von diesem Dienst',
      advice: 'Prüfen Sie Adresse und Pfade der Verbindung.',
    },
    'file-unreadable': {
      heading: 'Die Datei ist nicht lesbar',
      advice: 'Prüfen Sie, ob es sie noch gibt und ob Sie sie öffnen dürfen.',
    },
    'file-changed': {
      heading: 'Die Datei wurde beim Lesen verändert',
      advice: 'Schließen Sie sie in anderen Programmen und wählen Sie sie dann neu.',
    },
    cancelled: { heading: 'Abgebrochen', advice: 'Es geschieht nichts weiter.' },
    'storage-full': {
      heading: 'Der Datenträger ist voll',
      advice: 'Schaffen Sie Platz und versuchen Sie es erneut.',
    },
    'storage-busy': {
      heading: 'Ein anderes Programm verwendet die lokalen Aufzeichnungen',
      advice: 'Nichts wurde geändert. Versuchen Sie es gleich erneut.',
    },
    'storage-unusable': {
      heading: 'Die Daten von Sealdesk sind nicht les- oder schreibbar',
      advice: 'Prüfen Sie, ob der Datenträger schreibgeschützt ist, und starten Sie Sealdesk neu.',
    },
    bug: {
      heading: 'Etwas Unerwartetes ist geschehen',
      advice: 'Versuchen Sie es erneut. Geschieht es wieder, nennen Sie dem Support die Kennung unten.',
    },
  },
  detail: {
    'file-missing': {
      heading: 'Die Datei wurde nicht gefunden',
      advice: 'Sie wurde verschoben, umbenannt oder gelöscht. Wählen Sie sie neu.',
    },
    'file-denied': {
      heading: 'Keine Berechtigung, diese Datei zu öffnen',
      advice: 'Bitten Sie den Besitzer um das Leserecht.',
    },
    'file-locked': {
      heading: 'Ein anderes Programm verwendet diese Datei',
      advice: 'Schließen Sie sie dort und versuchen Sie es erneut.',
    },
    'file-empty': { heading: 'Die Datei ist leer', advice: 'Wählen Sie eine andere Datei.' },
    'file-is-folder': {
      heading: 'Das ist ein Ordner',
      advice: 'Ziehen Sie ihn herein oder nutzen Sie „Ordner wählen…“.',
    },
    'file-not-pdf': {
      heading: 'Kein PDF',
      advice: 'Nur PDFs lassen sich registrieren. Speichern Sie die Datei zuerst als PDF.',
    },
    'file-encrypted': {
      heading: 'Das PDF ist verschlüsselt',
      advice: 'Speichern Sie zuerst eine Kopie ohne Kennwortschutz.',
    },
    'target-not-writable': {
      heading: 'Die Datei kann dort nicht geschrieben werden',
      advice: 'Wählen Sie einen anderen Ordner.',
    },
    'drive-error': {
      heading: 'Das Laufwerk meldet einen Fehler',
      advice: 'Prüfen Sie das Laufwerk und versuchen Sie es dann erneut.',
    },
    'too-many-open-files': {
      heading: 'Auf diesem Computer sind zu viele Dateien offen',
      advice: 'Schließen Sie andere Programme und versuchen Sie es dann erneut.',
    },
    'data-folder-denied': {
      heading: 'Sealdesk kann nicht in seinen Datenordner schreiben',
      advice: 'Prüfen Sie die Rechte und ob der Datenträger schreibgeschützt ist.',
    },
    'id-unusable': {
      heading: 'Das ist keine Dokument-ID',
      advice: '32 Ziffern und Buchstaben von a bis f mit Bindestrichen: Kopieren Sie sie aus dem Portal des Dienstes.',
    },
    'id-taken': {
      heading: '„{{name}}“ hat diese ID',
      advice: 'Jedes Dokument hat eine eigene ID: Kopieren Sie die von diesem aus dem Portal des Dienstes.',
    },
    'target-exists': {
      heading: 'Es gibt schon eine Datei mit diesem Namen',
      advice: 'Speichern Sie unter einem anderen Namen.',
    },
    'service-changed': {
      heading: 'Die Verbindung führt jetzt zu einer anderen Adresse',
      advice: 'Der Rest wurde dort nicht angefragt. Starten Sie einen neuen Download.',
    },
    'path-too-long': {
      heading: 'Der Pfad ist zu lang',
      advice: 'Verschieben Sie die Datei in einen höheren Ordner oder kürzen Sie Ordnernamen.',
    },
    'file-special': {
      heading: 'Das ist ein Gerät oder eine Pipe, keine Datei',
      advice: 'Wählen Sie eine Datei.',
    },
    'copy-changed': {
      heading: 'Sealdesks eigene Kopie der Datei wurde verändert',
      advice:
        'Der Dienst hat sie nicht bekommen. Senden Sie erneut, wobei die Datei neu kopiert wird, oder wählen Sie die Datei neu.',
    },
    'file-name': {
      heading:
        'Diese Datei kann mit einer anderen verwechselt werden: Ihr Name ist nicht in UTF-8, oder er sieht so aus wie ein solcher',
      advice: 'Benennen Sie die Datei um.',
    },
    'table-unreadable': {
      heading: 'Die Datei ist keine lesbare Tabelle',
      advice: 'Öffnen Sie sie in einer Tabellenkalkulation und speichern Sie sie als XLSX oder CSV.',
    },
    'table-old': {
      heading: 'Eine alte oder kennwortgeschützte Excel-Datei',
      advice: 'Speichern Sie sie in Excel als XLSX ohne Kennwort.',
    },
    'table-too-large': {
      heading: 'Die Datei ist zu groß zum Lesen',
      advice: 'Löschen Sie, was nicht gebraucht wird, oder teilen Sie sie in mehrere Dateien.',
    },
    'table-rows': {
      heading: 'Die Tabelle hat zu viele Zeilen',
      advice: 'Teilen Sie sie in Dateien mit bis zu 10.000 Zeilen.',
    },
    'table-columns': {
      heading: 'Die Tabelle hat zu viele Spalten',
      advice: 'Lassen Sie höchstens 100 stehen: Löschen Sie die nicht gebrauchten.',
    },
    'table-empty': {
      heading: 'Die Tabelle hat Überschriften und keine Zeilen',
      advice: 'Füllen Sie für jede Person eine Zeile aus.',
    },
    'table-quote': {
      heading: 'Ein Anführungszeichen in Zeile {{row}} ist offen oder steht falsch',
      advice: 'Korrigieren Sie die Zeile, oder speichern Sie die Tabelle als XLSX.',
    },
    'name-not-resolved': {
      heading: 'Die Adresse des Dienstes wurde nicht gefunden',
      advice: 'Nichts wurde gesendet. Prüfen Sie Adresse und Netz.',
    },
    'connection-refused': {
      heading: 'An der Adresse des Dienstes antwortet niemand',
      advice: 'Es wurde nichts gesendet. Prüfen Sie Adresse und Port oder versuchen Sie es später.',
    },
    'connection-lost': {
      heading: 'Die Verbindung ist abgerissen',
      advice: 'Prüfen Sie das Netz und versuchen Sie es erneut.',
    },
    'tls-untrusted': {
      heading: 'Dem Zertifikat des Dienstes wird nicht vertraut',
      advice:
        'Es wurde nichts gesendet. Hat Ihre Organisation eine eigene Zertifizierungsstelle, fügen Sie deren Zertifikat der Verbindung hinzu.',
    },
    'tls-failed': {
      heading: 'Keine sichere Verbindung',
      advice:
        'Es wurde nichts gesendet. Der Dienst ist vielleicht zu alt oder verlangt ein Clientzertifikat, oder ein Gerät dazwischen stört.',
    },
    'tls-expired': {
      heading: 'Das Zertifikat des Dienstes ist nicht gültig',
      advice:
        'Es wurde nichts gesendet. Prüfen Sie das Datum dieses Computers; stimmt es, muss der Betreiber des Dienstes das Zertifikat erneuern.',
    },
    'client-certificate-needed': {
      heading: 'Der Dienst verlangt ein Clientzertifikat',
      advice: 'Es wurde nichts ausgeführt. Wählen Sie Ihr Zertifikat in der Verbindung unter „Mehr“.',
    },
    'client-certificate-refused': {
      heading: 'Der Dienst hat das Clientzertifikat nicht angenommen',
      advice:
        'Es wurde nichts ausgeführt. Vielleicht gilt es für einen anderen Dienst: Fragen Sie die ausstellende Stelle und wählen Sie das richtige in der Verbindung unter „Mehr“.',
    },
    'client-certificate-expired': {
      heading: 'Das Clientzertifikat ist abgelaufen',
      advice:
        'Es wurde nichts ausgeführt. Holen Sie sich von der ausstellenden Stelle ein neues und wählen Sie es in der Verbindung unter „Mehr“.',
    },
    'proxy-failed': {
      heading: 'Der Proxy ist nicht erreichbar',
      advice: 'Es wurde nichts gesendet. Prüfen Sie das Netzwerk und den Proxy in den Einstellungen der Verbindung.',
    },
    'proxy-refused': {
      heading: 'Der Proxy hat die Verbindung abgelehnt',
      advice: 'Es wurde nichts gesendet. Bitten Sie Ihre IT, Sealdesk zur Adresse des Dienstes durchzulassen.',
    },
    'proxy-login-needed': {
      heading: 'Der Proxy verlangt Benutzername und Passwort',
      advice: 'Es hat nichts den Dienst erreicht. Geben Sie sie in der Verbindung unter „Mehr“ ein.',
    },
    'proxy-login-refused': {
      heading: 'Der Proxy hat Benutzername oder Passwort abgelehnt',
      advice: 'Es hat nichts den Dienst erreicht. Geben Sie sie in der Verbindung unter „Mehr“ erneut ein.',
    },
    'proxy-login-unsupported': {
      heading: 'Der Proxy verlangt eine Windows-Anmeldung',
      advice:
        'Es hat nichts den Dienst erreicht. Sealdesk meldet sich nur mit Benutzername und Passwort an (Basic, nicht NTLM oder Negotiate). Bitten Sie Ihre IT, die Adresse des Dienstes ohne Anmeldung durchzulassen.',
    },
    'no-connect-in-time': {
      heading: 'Nicht rechtzeitig verbunden',
      advice: 'Nichts wurde gesendet. Versuchen Sie es erneut oder erlauben Sie in der Verbindung mehr Zeit.',
    },
    'reply-too-slow': {
      heading: 'Die Antwort kam zu langsam',
      advice: 'Versuchen Sie es später erneut. Bleibt es so langsam, fragen Sie den Betreiber des Dienstes.',
    },
    'no-progress-in-time': {
      heading: 'Die Übertragung ist stehen geblieben',
      advice: 'Prüfen Sie das Netz und versuchen Sie es erneut.',
    },
    'no-answer-in-time': {
      heading: 'Der Dienst hat nicht rechtzeitig geantwortet',
      advice: 'Versuchen Sie es später erneut oder erlauben Sie in der Verbindung mehr Zeit.',
    },
    'html-page': {
      heading: 'Statt einer Antwort kam eine Webseite',
      advice: 'Prüfen Sie Adresse und Pfad; vielleicht ist eine Anmeldeseite des Netzes dazwischen.',
    },
    redirected: {
      heading: 'Statt einer Antwort kam eine andere Adresse',
      advice:
        'Zum Schutz der Zugangsdaten nicht befolgt. Vielleicht ist eine Anmeldeseite des Netzes dazwischen; ist der Dienst umgezogen und vertrauen Sie der neuen Adresse, tragen Sie sie in der Verbindung ein.',
    },
    'http-status': {
      heading: 'Der Dienst meldet einen Fehlerstatus',
      advice: 'Prüfen Sie den Pfad oder versuchen Sie es später.',
    },
    'unclear-answer': {
      heading: 'Die Antwort nennt kein Dokument',
      advice:
        'Es ist vielleicht geschehen. Lesen Sie die Antwort, und sehen Sie beim Dienst nach, bevor Sie erneut senden.',
    },
    'early-reply': {
      heading: 'Die Antwort kam, bevor das Dokument gesendet war',
      advice: 'Vielleicht hat etwas zwischen hier und dem Dienst geantwortet.',
    },
    'empty-reply': {
      heading: 'Es kam eine leere Antwort',
      advice: 'Prüfen Sie den Pfad oder versuchen Sie es später.',
    },
    'wrong-reply': {
      heading: 'Die Antwort gehört zu einem anderen Vorgang',
      advice: 'Prüfen Sie Pfade und Namensraum der Verbindung.',
    },
    'truncated-reply': {
      heading: 'Die Antwort war abgeschnitten',
      advice: 'Prüfen Sie das Netz und versuchen Sie es erneut.',
    },
    'not-xml': { heading: 'Die Antwort war nicht lesbar', advice: 'Prüfen Sie Adresse und Pfad der Verbindung.' },
    'reply-too-large': { heading: 'Die Antwort war zu groß', advice: 'Fragen Sie beim Dienst nach.' },
    'soap-fault': { heading: 'Der Dienst meldet einen Fehler', advice: 'Seine Antwort steht unten.' },
    'soap-action-missing': {
      heading: 'Der Dienst lehnt Action oder Namensraum ab',
      advice:
        'Vergleichen Sie den Namensraum in der Verbindung mit der WSDL. Stimmt er, schalten Sie „Action in SOAP 1.2 senden“ ein oder nehmen Sie SOAP 1.1.',
    },
    'negative-code': {
      heading: 'Der Dienst hat abgelehnt',
      advice: 'Code und Bedeutung stehen unten.',
    },
    'no-document-in-reply': {
      heading: 'Der Dienst hat kein Dokument herausgegeben',
      advice:
        'Es wird vielleicht noch verarbeitet oder ist nicht für Sie freigegeben. Fragen Sie zuerst den Status ab.',
    },
    'wsdl-unusable': {
      heading: 'Keine brauchbare WSDL',
      advice: 'Prüfen Sie die Adresse (oft endet sie auf ?wsdl) oder wählen Sie eine andere Datei.',
    },
    'port-in-use': {
      heading: 'Der Port ist belegt',
      advice: 'Schließen Sie das Programm, das ihn benutzt, oder starten Sie neu.',
    },
    'keychain-unavailable': {
      heading: 'Der Schlüsselbund des Systems ist nicht verfügbar',
      advice: 'Zugangsdaten gelten bis zum Beenden.',
    },
    'secret-word-missing': {
      heading: 'Der Zugangscode (Geheimwort) fehlt',
      advice: 'Er ist nicht mehr gespeichert. Nichts wurde gesendet. Geben Sie ihn erneut ein.',
    },
    'sending-held': {
      heading: 'Das Senden ist angehalten',
      advice:
        'Mehrere Sendungen nacheinander bekamen keine klare Antwort. Diese wurde nicht gesendet. Entscheiden Sie unter „Start“.',
    },
    'database-newer': {
      heading: 'Die lokalen Aufzeichnungen stammen von einem neueren Sealdesk',
      advice: 'Verwenden Sie diese Version. Nichts wurde geändert.',
    },
    'database-damaged': {
      heading: 'Die lokalen Aufzeichnungen sind beschädigt',
      advice: 'Stellen Sie eine Sicherung wieder her, oder starten Sie Sealdesk neu, um mit leeren zu beginnen.',
    },
    'database-unreadable': {
      heading: 'Die lokalen Aufzeichnungen sind nicht lesbar',
      advice: 'Prüfen Sie die Berechtigungen des Ordners und starten Sie Sealdesk neu.',
    },
    'database-missing': {
      heading: 'Die lokalen Aufzeichnungen fehlen',
      advice: 'Stellen Sie eine Sicherung wieder her, oder starten Sie Sealdesk neu, um mit leeren zu beginnen.',
    },
    'database-moving': {
      heading: 'Die lokalen Aufzeichnungen werden verschoben',
      advice: 'Starten Sie Sealdesk: Es beendet das zuerst.',
    },
    managed: {
      heading: 'Von Ihrer Organisation verwaltet',
      advice: 'Hier nicht änderbar oder verwendbar. Fragen Sie Ihre IT-Abteilung.',
    },
    'policy-broken': {
      heading: 'Die Richtlinie Ihrer Organisation kann nicht gelesen werden',
      advice: 'Bis dahin wird nichts an einen Dienst gesendet. Fragen Sie Ihre IT-Abteilung.',
    },
    ...teamFailures,
  },
  codeLabel: 'Code',
  noteLabel: 'Notiz',
  serviceCodeLabel: 'Code des Dienstes',
  rawLabel: 'Antwort des Dienstes',
  referenceLabel: 'Kennung',
  about: '{{subject}}: {{heading}}',
  codeMeaning: 'Code {{code}}: {{meaning}}.',
  codeSays: 'Der Dienst meldet: {{meaning}}.',
  codeUnknown: 'Code {{code}} ist unbekannt.',
  seemsToBe: 'Kein PDF ({{kind}})',
};
