import type { screens as english } from '../../en/shared/screens.ts';
import type { Translation } from '../../translation.ts';

export const screens: Translation<typeof english> = {
  signatures: 'Unterschriften',
  compose: 'Unterschriften anfordern',
  bulk: 'Serienversand',
  answers: 'Antworten',
  notes: 'Notizen',
  start: 'Start',
  jobs: 'Vorgänge',
  documents: 'Dokumente',
  register: 'Registrieren',
  verify: 'Prüfen',
  connections: 'Verbindungen',
  settings: 'Einstellungen',
};
