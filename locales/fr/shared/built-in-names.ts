import type { builtInNames as english } from '../../en/shared/built-in-names.ts';
import type { Translation } from '../../translation.ts';

export const builtInNames: Translation<typeof english, 'fr'> = {
  practice: 'Service d’essai',
  lists: { 1: 'En attente de signature', 2: 'Signés' },
  creditTypes: { 1: 'Crédits de document', 2: 'Crédits prépayés', 3: 'Abonnement' },
};
