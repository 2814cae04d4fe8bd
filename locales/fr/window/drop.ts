import type { enDrop } from '../../en/window/drop.ts';
import type { Translation } from '../../translation.ts';

export const frDrop: Translation<typeof enDrop, 'fr'> = {
  select_one: 'Déposez pour choisir {{count}} fichier',
  select_other: 'Déposez pour choisir {{count}} fichiers',
  select_many: 'Déposez pour choisir {{count}} fichiers',
  selectAny: 'Déposez pour choisir',
  nothingSent: 'Rien n’est encore envoyé',
  verify_one: 'Déposez pour vérifier {{count}} fichier',
  verify_other: 'Déposez pour vérifier {{count}} fichiers',
  verify_many: 'Déposez pour vérifier {{count}} fichiers',
  verifyAny: 'Déposez pour vérifier',
  verifyNote: 'Avec {{connection}}. Les vérifications peuvent être payantes ; voyez votre contrat.',
  register_one: 'Déposez pour ajouter {{count}} document',
  register_other: 'Déposez pour ajouter {{count}} documents',
  register_many: 'Déposez pour ajouter {{count}} documents',
  registerAny: 'Déposez pour ajouter',
  document: 'Déposez pour l’utiliser comme document',
  replaceDocument: 'Déposez pour remplacer « {{name}} »',
  oneDocument: 'Un document par demande : déposez pour choisir',
  onlyPdf: 'Seuls des PDF peuvent être signés : déposez pour choisir',
  otherActions: 'Choisir une autre action',
  table: 'Déposez pour l’utiliser comme tableau',
  wsdl: 'Déposez pour lire le WSDL',
};
