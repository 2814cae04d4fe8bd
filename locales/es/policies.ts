import type { texts as english } from '../en/policies.ts';
import type { Translation } from '../translation.ts';

export const texts: Translation<typeof english, 'es'> = {
  category: 'Sealdesk',
  recommended: 'Recomendado (los usuarios pueden cambiarlo)',
  supported: 'Sealdesk',
  explain: 'Habilitado: el valor se aplica y los usuarios no pueden cambiarlo.',
  explainRecommended: 'Habilitado: el valor se aplica hasta que alguien elija otro.',
  settings: {
    theme: { name: 'Tema', help: 'Colores de la ventana.' },
    language: { name: 'Idioma', help: 'Idioma de la ventana, los menús y las notificaciones.' },
    notifications: {
      name: 'Notificaciones',
      help: 'Notificaciones de escritorio sobre solicitudes de firma y vencimientos.',
    },
    tray: { name: 'Icono de la bandeja', help: 'Muestra un icono en la bandeja del sistema.' },
    closeToTray: {
      name: 'Seguir sin ventana',
      help: 'El programa sigue en marcha al cerrar su ventana, mientras se muestre su icono.',
    },
    atOnce: {
      name: 'Archivos a la vez',
      help: 'Archivos que se envían o verifican al mismo tiempo, en todas las conexiones.',
    },
    requestWait: {
      name: 'Segundos para deshacer solicitudes',
      help: 'Segundos en los que se puede deshacer el envío de solicitudes de firma y notas.',
    },
    registerWait: {
      name: 'Segundos para deshacer registros',
      help: 'Segundos en los que se puede deshacer el envío de un registro.',
    },
    callsPerHour: {
      name: 'Llamadas automáticas por hora',
      help: 'Máximo de llamadas que el programa hace por sí mismo a los servicios en una hora.',
    },
    automaticCalls: {
      name: 'Actualización automática',
      help: 'Si el programa consulta por sí mismo el estado de las solicitudes de firma.',
    },
    connections: {
      name: 'Conexiones',
      help: 'Conexiones para todos, como lista JSON. Lo que indica una conexión queda bloqueado; no puede contener credenciales.',
    },
    ownConnections: {
      name: 'Conexiones propias',
      help: 'Si los usuarios pueden añadir conexiones y usar las que ninguna directiva proporciona.',
    },
    proxy: {
      name: 'Proxy',
      help: 'Proxy de todas las conexiones: system, none o una dirección como http://proxy.example:3128.',
    },
    extraCa: {
      name: 'Autoridades de certificación adicionales',
      help: 'Certificados PEM en los que confían todas las conexiones, además de los del sistema.',
    },
    parallel: { name: 'Envíos por conexión', help: 'Envíos simultáneos por cada conexión.' },
    verifyPerMinute: {
      name: 'Verificaciones por minuto',
      help: 'Máximo de llamadas por minuto para verificar archivos, por cada conexión.',
    },
    updates: {
      name: 'Actualizaciones automáticas',
      help: 'Si el programa puede actualizarse por sí mismo. Sin dirección y clave no lo hace nunca.',
    },
    updateFeed: {
      name: 'Dirección de las actualizaciones',
      help: 'Dirección de la carpeta con actualizaciones: https, o http en este equipo.',
    },
    updateKey: {
      name: 'Claves de las actualizaciones',
      help: 'Claves públicas Ed25519 (base64, DER), separadas por espacios; una de ellas debe haber firmado la lista.',
    },
    updatePublisher: {
      name: 'Editor de las actualizaciones',
      help: 'Windows: nombre en el certificado de la firma del instalador.',
    },
    requestWaitAtLeast: {
      name: 'Mínimo de segundos para deshacer solicitudes',
      help: 'Lo mínimo que los usuarios pueden elegir para solicitudes y notas.',
    },
    registerWaitAtLeast: {
      name: 'Mínimo de segundos para deshacer registros',
      help: 'Lo mínimo que los usuarios pueden elegir para registros.',
    },
    trustedCertificates: {
      name: 'Certificados conocidos',
      help: 'Carpeta con los certificados (.cer, .crt, .der, .pem) de autoridades y firmantes que la organización conoce.',
    },
    trustList: {
      name: 'Lista de confianza',
      help: 'Archivo con listas de confianza, como lo escribe sealdesk-cli trust-list.',
    },
    exportLists: {
      name: 'Exportar listas',
      help: 'Si los usuarios pueden guardar listas: solicitudes, resultados de envíos masivos, documentos registrados, libreta de direcciones, respuestas, plantillas.',
    },
    exportReports: {
      name: 'Exportar informes de verificación',
      help: 'Si los usuarios pueden guardar informes de verificación.',
    },
    exportReceipts: { name: 'Exportar recibos', help: 'Si los usuarios pueden guardar recibos de envío.' },
    exportDiagnostics: {
      name: 'Exportar el diagnóstico',
      help: 'Si los usuarios pueden guardar el informe de diagnóstico para soporte.',
    },
    saveDocuments: { name: 'Guardar documentos', help: 'Si los usuarios pueden descargar documentos en archivos.' },
  },
};
