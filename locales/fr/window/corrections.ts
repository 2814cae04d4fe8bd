import type { enCorrections } from '../../en/window/corrections.ts';
import type { Translation } from '../../translation.ts';

export const frCorrections: Translation<typeof enCorrections, 'fr'> = {
  action: 'Corriger et renvoyer',
  actionShort: 'Corriger…',
  heading: {
    refused: 'Le service a refusé ceci',
    failed: 'Ceci n’a pas été envoyé',
    'passed-over': 'Ceci a été ignoré comme doublon',
    cancelled: 'Ceci a été annulé',
    'in-doubt': 'Pas de réponse claire : le service l’a peut-être accepté',
  },
  text: 'Une fois ceci envoyé, cela prend la place de l’entrée précédente.',
  doubtText:
    'Le premier est peut-être arrivé : l’envoi peut être fait et facturé deux fois. Voyez d’abord dans Activité ce qu’on en sait.',
  doubtMails: 'Peut être facturé deux fois, et chacun peut recevoir deux fois l’e-mail.',
  sendDoubt: 'Envoyer bien que ce soit peut-être déjà envoyé',
  underWay: 'Cette demande est en cours d’envoi',
  underWayText: 'Vous pouvez la corriger si elle est refusée ou annulée.',
  fileGone: '{{name}} est introuvable. Choisissez le fichier à nouveau.',
  chooseFile: 'Choisir un fichier…',
  changeFile: 'Choisir un autre fichier…',
  connectionGone: 'Sa connexion a été supprimée',
  connectionGoneText: 'L’envoi est impossible sans sa connexion.',
};
