import type { Catalogue } from '../../en/window/window.ts';

export const deCorrections: Catalogue['corrections'] = {
  action: 'Berichtigen und neu senden',
  heading: {
    refused: 'Der Dienst hat dies abgelehnt',
    failed: 'Dies wurde nicht gesendet',
    cancelled: 'Dies wurde abgebrochen',
    'in-doubt': 'Keine Antwort: Der Dienst hat dies vielleicht angenommen',
  },
  text: 'Berichtigen Sie es und senden Sie es. Der frühere Vorgang verschwindet aus der Liste.',
  doubtText: 'Senden Sie es, ist es vielleicht doppelt da und doppelt berechnet. Suchen Sie es zuerst unter Vorgänge.',
  doubtMails: 'Es wird vielleicht doppelt berechnet, und alle bekommen vielleicht zwei E-Mails.',
  sendDoubt: 'Senden, obwohl es vielleicht angenommen wurde',
  underWay: 'Diese Anfrage wird gerade gesendet',
  underWayText: 'Sie lässt sich berichtigen, wenn sie abgelehnt oder abgebrochen wird.',
  fileGone: '{{name}} ist nicht mehr da. Wählen Sie die Datei neu.',
  chooseFile: 'Datei wählen…',
  changeFile: 'Andere Datei wählen…',
  connectionGone: 'Die Verbindung dazu wurde entfernt',
  connectionGoneText: 'Ohne seine Verbindung lässt es sich nicht senden.',
};
