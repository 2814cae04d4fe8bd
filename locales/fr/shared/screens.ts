import type { screens as english } from '../../en/shared/screens.ts';
import type { Translation } from '../../translation.ts';

export const screens: Translation<typeof english, 'fr'> = {
  signatures: 'Signatures',
  compose: 'Demander des signatures',
  bulk: 'Envoi groupé',
  answers: 'Réponses',
  notes: 'Notes',
  start: 'Accueil',
  jobs: 'Activité',
  documents: 'Documents',
  register: 'Inscrire',
  verify: 'Vérifier',
  connections: 'Connexions',
  settings: 'Paramètres',
};
