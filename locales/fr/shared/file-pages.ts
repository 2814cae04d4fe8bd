import type { filePages as english } from '../../en/shared/file-pages.ts';
import type { Translation } from '../../translation.ts';

export const filePages: Translation<typeof english, 'fr'> = {
  changed_one: 'Modifié à la page {{pages}}.',
  changed_many: 'Modifié aux pages {{pages}}.',
  changed_other: 'Modifié aux pages {{pages}}.',
  added_one: 'Quelque chose a été ajouté ou rempli à la page {{pages}}. Ce que cela couvre n’est pas comparé.',
  added_many: 'Quelque chose a été ajouté ou rempli aux pages {{pages}}. Ce que cela couvre n’est pas comparé.',
  added_other: 'Quelque chose a été ajouté ou rempli aux pages {{pages}}. Ce que cela couvre n’est pas comparé.',
};
