import type { bulkProblemsEn } from '../../en/shared/bulk-problems.ts';
import type { Translation } from '../../translation.ts';

export const bulkProblemsDe: Translation<typeof bulkProblemsEn> = {
  nobody: 'kein Unterzeichner',
  'email-invalid': 'keine gültige E-Mail-Adresse',
  'email-twice': 'dieselbe Adresse zweimal',
  'owner-address': 'die Adresse Ihres Kontos',
  'separator-inside': 'enthält das Trennzeichen',
  'name-missing': 'ein Name fehlt',
  'file-none': 'keine Datei',
  'file-missing': 'Datei nicht unter den gewählten',
  'file-unusable': 'Datei nicht verwendbar',
  'template-none': 'keine Vorlage',
  'cell-too-long': 'zu lang',
  'cell-unusable': 'enthält Zeichen, die sich nicht senden lassen',
  'same-template': 'Dieselben Personen und dieselbe Vorlage wie in Zeile {{row}}',
  'same-file': 'Dieselben Personen und dieselbe Datei wie in Zeile {{row}}',
  'already-sent': 'Schon an dieselben Personen gesendet: {{time}}',
  'maybe-sent': 'Ungewiss: vielleicht schon an dieselben Personen gesendet, keine Antwort {{time}}',
  'being-sent': 'Wartet oder wird gerade an dieselben Personen gesendet: {{time}}',
};
