import type { help as english } from '../../en/command-line/help.ts';
import type { Translation } from '../../translation.ts';

export const help: Translation<typeof english, 'fr'> = {
  usage: 'Utilisation :',
  options: 'Options :',
  commands: 'Commandes :',
  connection: 'Connexion (par défaut : le service d’essai) :',
  version: 'la version de ce programme',
  help: 'cette aide',
  helpOf: 'l’aide d’une commande',
  json: 'un objet JSON par ligne au lieu de texte',
  lang: 'langue des textes, par exemple {{tags}} (LC_ALL, LC_MESSAGES ou LANG)',
  examples: 'Exemples',
  exitCodes: `Codes de sortie : 0 tout va bien · 1 refusé ou non confirmé · 2 mauvaise utilisation · 3 incertain (envoyé, sans
réponse) · 4 injoignable · 5 données locales inutilisables · 6 fait, mais les résultats n’ont pas pu être
affichés · 130 interrompu par Ctrl-C`,
  credentials: `Les identifiants viennent de l’environnement (SEALDESK_API_KEY et SEALDESK_API_SIG), du trousseau du système pour une
connexion enregistrée, ou sont demandés. Ils ne sont jamais pris sur la ligne de commande.`,
  practice: `Sans --connection ni --url, tout va au service d’essai, démarré pour l’occasion : rien ne quitte
cet ordinateur.`,
};
