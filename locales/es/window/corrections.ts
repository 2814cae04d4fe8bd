import type { enCorrections } from '../../en/window/corrections.ts';
import type { Translation } from '../../translation.ts';

export const esCorrections: Translation<typeof enCorrections, 'es'> = {
  action: 'Corregir y enviar de nuevo',
  actionShort: 'Corregir…',
  heading: {
    refused: 'El servicio lo ha rechazado',
    failed: 'No se ha enviado',
    'passed-over': 'Se ha omitido por duplicado',
    cancelled: 'Se ha cancelado',
    'in-doubt': 'Sin respuesta clara: el servicio puede haberlo aceptado',
  },
  text: 'Cuando esto se envíe, ocupará el lugar de la entrada anterior.',
  doubtText:
    'El primero puede haber llegado: puede enviarse y cobrarse dos veces. Vea antes en Actividad qué se sabe de él.',
  doubtMails: 'Puede cobrarse dos veces y todas las personas pueden recibir dos correos.',
  sendDoubt: 'Enviar aunque ya pueda estar enviado',
  underWay: 'Esta solicitud se está enviando',
  underWayText: 'Podrá corregirla si se rechaza o se cancela.',
  fileGone: 'No se encontró {{name}}. Elija el archivo de nuevo.',
  chooseFile: 'Elegir archivo…',
  changeFile: 'Elegir otro archivo…',
  connectionGone: 'Su conexión se ha eliminado',
  connectionGoneText: 'No se puede enviar sin su conexión.',
};
