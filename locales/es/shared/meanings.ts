import type { meanings as english } from '../../en/shared/meanings.ts';
import type { Translation } from '../../translation.ts';

export const meanings: Translation<typeof english, 'es'> = {
  processing: 'El servicio está procesando el documento',
  completed: 'El documento está listo',
  unknown: 'El servicio no conoce este documento',
  unusable: 'El servicio no pudo usar el documento',
  confirmed: 'El servicio confirma el documento',
  superseded: 'El servicio confirma el documento, del que hay una versión más reciente',
  notConfirmed: 'El servicio no confirma el documento',
  changed: 'El documento no es igual al que se registró',
  documentId: 'El ID del documento',
  url: 'Una dirección web',
  none: 'El servicio no respondió nada',
};
