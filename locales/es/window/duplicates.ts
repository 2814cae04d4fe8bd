import type { enDuplicates } from '../../en/window/duplicates.ts';
import type { Translation } from '../../translation.ts';

export const esDuplicates: Translation<typeof enDuplicates, 'es'> = {
  checking: 'Buscando duplicados',
  checked: '{{read}} de {{total}} leídos · {{readBytes}} de {{totalBytes}}',
  stopChecking: 'No esperar',
  stopped:
    'No se comprobaron todos los archivos. Cada uno se comprueba antes de enviarlo; usted decide sobre los duplicados.',
  none: 'No hay duplicados.',
  heading_one: '{{count}} archivo ya está registrado o seleccionado dos veces',
  heading_many: '{{count}} de archivos ya están registrados o seleccionados dos veces',
  heading_other: '{{count}} archivos ya están registrados o seleccionados dos veces',
  inDoubt_one: '{{count}} archivo es dudoso: quizá ya esté registrado',
  inDoubt_many: '{{count}} de archivos son dudosos: quizá ya estén registrados',
  inDoubt_other: '{{count}} archivos son dudosos: quizá ya estén registrados',
  underWay_one: '{{count}} archivo ya espera o se está enviando',
  underWay_many: '{{count}} de archivos ya esperan o se están enviando',
  underWay_other: '{{count}} archivos ya esperan o se están enviando',
  list: 'Duplicados',
  all: 'Todos los duplicados',
  each: 'Omitir o enviar {{name}}',
  skip: 'Omitir',
  send: 'Enviar de todos modos',
  asDocument: 'Registrado como «{{title}}», {{when}}',
  asJob: 'Añadido como «{{title}}», {{when}}: {{state}}',
  sameAs: 'Mismo contenido que otro archivo seleccionado',
  open: 'Abrir',
  openWhat: 'Abrir {{title}}',
  nothingLeft: 'No queda nada que registrar',
  skipped_one: 'Se omitirá {{count}} archivo.',
  skipped_many: 'Se omitirán {{count}} de archivos.',
  skipped_other: 'Se omitirán {{count}} archivos.',
};
