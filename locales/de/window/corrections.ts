import type { Catalogue } from '../../en/window/window.ts';

export const deCorrections: Catalogue['corrections'] = {
  action: 'Berichtigen und erneut senden',
  actionShort: 'Berichtigen…',
  heading: {
    refused: 'Der Dienst hat dies abgelehnt',
    failed: 'Dies wurde nicht gesendet',
    'passed-over': 'Dies wurde als Dublette übersprungen',
    cancelled: 'Dies wurde abgebrochen',
    'in-doubt': 'Keine klare Antwort: Der Dienst hat dies vielleicht angenommen',
  },
  text: 'Sobald dies gesendet ist, tritt es an die Stelle des früheren Eintrags.',
  doubtText:
    'Das erste ist vielleicht angekommen: Es wird vielleicht doppelt gesendet und berechnet. Sehen Sie zuerst unter „Vorgänge“ nach, was davon bekannt ist.',
  doubtMails: 'Es wird vielleicht doppelt berechnet, und alle bekommen vielleicht zwei E-Mails.',
  sendDoubt: 'Senden, obwohl es vielleicht schon gesendet ist',
  underWay: 'Diese Anforderung wird gerade gesendet',
  underWayText: 'Sie können sie berichtigen, wenn sie abgelehnt oder abgebrochen wird.',
  fileGone: '{{name}} wurde nicht gefunden. Wählen Sie die Datei neu.',
  chooseFile: 'Datei wählen…',
  changeFile: 'Andere Datei wählen…',
  connectionGone: 'Die Verbindung wurde entfernt',
  connectionGoneText: 'Ohne seine Verbindung lässt es sich nicht senden.',
};
