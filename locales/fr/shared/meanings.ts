import type { meanings as english } from '../../en/shared/meanings.ts';
import type { Translation } from '../../translation.ts';

export const meanings: Translation<typeof english, 'fr'> = {
  processing: 'Le service traite le document',
  completed: 'Le document est prêt',
  unknown: 'Le service ne connaît pas ce document',
  unusable: 'Le service n’a pas pu utiliser le document',
  confirmed: 'Le service confirme le document',
  superseded: 'Le service confirme le document, dont il existe une version plus récente',
  notConfirmed: 'Le service ne confirme pas le document',
  changed: 'Le document n’est plus tel qu’il a été inscrit',
  documentId: 'L’ID du document',
  url: 'Une adresse web',
  none: 'Le service n’a rien répondu',
};
