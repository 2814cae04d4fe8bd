import type { bulkProblemsEn } from '../../en/shared/bulk-problems.ts';
import type { Translation } from '../../translation.ts';

export const bulkProblemsFr: Translation<typeof bulkProblemsEn> = {
  nobody: 'aucun signataire',
  'email-invalid': 'adresse e-mail non valide',
  'email-twice': 'deux fois la même adresse',
  'owner-address': 'l’adresse de votre propre compte',
  'separator-inside': 'contient le séparateur',
  'name-missing': 'un nom manque',
  'file-none': 'pas de fichier',
  'file-missing': 'fichier absent de ceux choisis',
  'file-unusable': 'fichier inutilisable',
  'template-none': 'pas de modèle',
  'cell-too-long': 'trop long',
  'cell-unusable': 'contient des caractères qui ne peuvent pas être envoyés',
  'same-template': 'Mêmes personnes et même modèle que la ligne {{row}}',
  'same-file': 'Mêmes personnes et même fichier que la ligne {{row}}',
  'already-sent': 'Déjà envoyé aux mêmes personnes : {{time}}',
  'maybe-sent': 'Incertain : peut-être déjà envoyé aux mêmes personnes, sans réponse {{time}}',
  'being-sent': 'En attente ou en cours d’envoi aux mêmes personnes : {{time}}',
};
