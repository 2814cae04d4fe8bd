import type { enDuplicates } from '../../en/window/duplicates.ts';
import type { Translation } from '../../translation.ts';

export const frDuplicates: Translation<typeof enDuplicates, 'fr'> = {
  checking: 'Recherche de doublons',
  checked: '{{read}} sur {{total}} lus · {{readBytes}} sur {{totalBytes}}',
  stopChecking: 'Ne pas attendre',
  stopped: 'Tous les fichiers n’ont pas été examinés. Chacun l’est avant son envoi ; vous décidez pour les doublons.',
  none: 'Aucun doublon.',
  heading_one: '{{count}} fichier est déjà inscrit ou choisi deux fois',
  heading_other: '{{count}} fichiers sont déjà inscrits ou choisis deux fois',
  heading_many: '{{count}} fichiers sont déjà inscrits ou choisis deux fois',
  list: 'Doublons',
  all: 'Tous les doublons',
  each: 'Ignorer ou envoyer {{name}}',
  skip: 'Ignorer',
  send: 'Envoyer quand même',
  asDocument: 'Inscrit sous « {{title}} », {{when}}',
  asJob: 'Ajouté sous « {{title}} », {{when}} : {{state}}',
  sameAs: 'Même contenu qu’un autre fichier choisi',
  open: 'Ouvrir',
  openWhat: 'Ouvrir {{title}}',
  nothingLeft: 'Plus rien à inscrire',
  skipped_one: '{{count}} fichier sera ignoré.',
  skipped_other: '{{count}} fichiers seront ignorés.',
  skipped_many: '{{count}} fichiers seront ignorés.',
};
