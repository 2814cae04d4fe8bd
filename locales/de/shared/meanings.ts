import type { meanings as english } from '../../en/shared/meanings.ts';
import type { Translation } from '../../translation.ts';

export const meanings: Translation<typeof english> = {
  processing: 'Der Dienst bearbeitet das Dokument noch',
  completed: 'Das Dokument ist fertig',
  unknown: 'Der Dienst kennt dieses Dokument nicht',
  unusable: 'Der Dienst konnte das Dokument nicht verwenden',
  confirmed: 'Der Dienst bestätigt das Dokument',
  superseded: 'Der Dienst bestätigt das Dokument, von dem es eine neuere Fassung gibt',
  notConfirmed: 'Der Dienst bestätigt das Dokument nicht',
  changed: 'Das Dokument ist nicht mehr so, wie es registriert wurde',
  documentId: 'Die ID des Dokuments',
  url: 'Eine Internetadresse',
  none: 'Der Dienst hat nichts geantwortet',
};
