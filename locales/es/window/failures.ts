import type { enFailures } from '../../en/window/failures.ts';
import type { Translation } from '../../translation.ts';
import { teamFailures } from '../shared/team-failures.ts';

export const esFailures: Translation<typeof enFailures, 'es'> = {
  code: {
    'bad-input': {
      heading: 'Algunos datos no son válidos',
      advice: 'Corrija los campos marcados e inténtelo de nuevo.',
    },
    'not-found': { heading: 'No encontrado', advice: 'Se ha quitado entretanto. Vuelva a la lista.' },
    'not-connected': {
      heading: 'La conexión no tiene credenciales',
      advice: 'Introduzca en Conexiones la clave de API y la firma. Ambas están en el portal del servicio.',
    },
    'credentials-rejected': {
      heading: 'El servicio rechazó las credenciales',
      advice:
        'Introduzca de nuevo en Conexiones la clave de API y la firma, tal como las muestra el portal del servicio.',
    },
    'service-refused': {
      heading: 'El servicio lo rechazó',
      advice: 'Vea abajo su respuesta. Corrija lo que indica o consulte con el soporte del servicio.',
    },
    'service-unreachable': {
      heading: 'No se pudo conectar con el servicio',
      advice: 'No se ha enviado nada. Compruebe la red o use Probar conexión en Conexiones.',
    },
    'service-timeout': {
      heading: 'El servicio tardó demasiado',
      advice: 'Inténtelo más tarde o permita más tiempo en los ajustes de la conexión.',
    },
    'outcome-unknown': {
      heading: 'No se recibió respuesta clara',
      advice: 'Puede haberse realizado. Compruébelo en el servicio antes de enviar de nuevo.',
    },
    'reply-unreadable': {
      heading: 'La respuesta no es de este servicio',
      advice: 'Compruebe la dirección y las rutas de la conexión.',
    },
    'file-unreadable': {
      heading: 'No se puede leer el archivo',
      advice: 'Compruebe que aún existe y que usted puede abrirlo.',
    },
    'file-changed': {
      heading: 'El archivo cambió mientras se leía',
      advice: 'Ciérrelo en otros programas y elíjalo de nuevo.',
    },
    cancelled: { heading: 'Cancelado', advice: 'No ocurre nada más.' },
    'storage-full': { heading: 'El disco está lleno', advice: 'Libere espacio e inténtelo de nuevo.' },
    'storage-busy': {
      heading: 'Otro programa está usando los registros locales',
      advice: 'No se ha cambiado nada. Inténtelo de nuevo en un momento.',
    },
    'storage-unusable': {
      heading: 'No se pudieron leer o escribir los datos de Sealdesk',
      advice: 'Compruebe que el disco no está protegido contra escritura y reinicie Sealdesk.',
    },
    bug: {
      heading: 'Se ha producido un error inesperado',
      advice: 'Inténtelo de nuevo. Si se repite, dé a soporte la referencia de abajo.',
    },
  },
  detail: {
    'file-missing': {
      heading: 'No se encontró el archivo',
      advice: 'Se movió, se eliminó o cambió de nombre. Elíjalo de nuevo.',
    },
    'file-denied': { heading: 'Sin permiso para abrir este archivo', advice: 'Pida acceso a su propietario.' },
    'file-locked': {
      heading: 'Otro programa está usando este archivo',
      advice: 'Ciérrelo allí e inténtelo de nuevo.',
    },
    'file-empty': { heading: 'El archivo está vacío', advice: 'Elija otro archivo.' },
    'file-is-folder': { heading: 'Es una carpeta', advice: 'Suéltela o use «Elegir carpeta…».' },
    'file-not-pdf': {
      heading: 'No es un PDF',
      advice: 'Solo se pueden registrar PDF. Guárdelo antes como PDF.',
    },
    'file-encrypted': {
      heading: 'El PDF está cifrado',
      advice: 'Guarde antes una copia sin contraseña.',
    },
    'target-not-writable': { heading: 'No se puede escribir el archivo ahí', advice: 'Elija otra carpeta.' },
    'drive-error': {
      heading: 'La unidad notifica un error',
      advice: 'Compruebe la unidad e inténtelo de nuevo.',
    },
    'too-many-open-files': {
      heading: 'Hay demasiados archivos abiertos en este equipo',
      advice: 'Cierre otros programas e inténtelo de nuevo.',
    },
    'data-folder-denied': {
      heading: 'Sealdesk no puede escribir en su carpeta de datos',
      advice: 'Compruebe sus permisos y que el disco no está protegido contra escritura.',
    },
    'id-unusable': {
      heading: 'Esto no es un ID de documento',
      advice: 'Tiene 32 cifras y letras de la a a la f, con guiones: cópielo del portal del servicio.',
    },
    'id-taken': {
      heading: '«{{name}}» tiene este ID',
      advice: 'Cada documento tiene su propio ID: copie el de este en el portal del servicio.',
    },
    'target-exists': {
      heading: 'Ya existe un archivo con este nombre',
      advice: 'Guárdelo con otro nombre.',
    },
    'service-changed': {
      heading: 'La conexión lleva ahora a otra dirección',
      advice: 'Lo que falta no se ha pedido allí. Inicie una nueva descarga.',
    },
    'path-too-long': {
      heading: 'La ruta es demasiado larga',
      advice: 'Mueva el archivo a una carpeta superior o acorte los nombres de las carpetas.',
    },
    'file-special': {
      heading: 'Es un dispositivo o una canalización, no un archivo',
      advice: 'Elija un archivo.',
    },
    'copy-changed': {
      heading: 'Se modificó la copia del archivo que hizo Sealdesk',
      advice:
        'El servicio no la recibió. Envíela de nuevo, con lo que el archivo se vuelve a copiar, o elija el archivo de nuevo.',
    },
    'file-name': {
      heading: 'Este archivo se puede confundir con otro: su nombre no está en UTF-8, o se parece a uno así',
      advice: 'Cambie el nombre del archivo.',
    },
    'table-unreadable': {
      heading: 'El archivo no es una hoja de cálculo legible',
      advice: 'Ábralo en un programa de hojas de cálculo y guárdelo como XLSX o CSV.',
    },
    'table-old': {
      heading: 'Un archivo de Excel antiguo o con contraseña',
      advice: 'Guárdelo en Excel como XLSX sin contraseña.',
    },
    'table-too-large': {
      heading: 'El archivo es demasiado grande para leerlo',
      advice: 'Elimine lo que no haga falta o divídalo en varios archivos.',
    },
    'table-rows': {
      heading: 'La hoja de cálculo tiene demasiadas filas',
      advice: 'Divídala en archivos de 10.000 filas como máximo.',
    },
    'table-columns': {
      heading: 'La hoja de cálculo tiene demasiadas columnas',
      advice: 'Deje 100 como máximo: elimine las que no hagan falta.',
    },
    'table-empty': {
      heading: 'La hoja de cálculo tiene encabezados y ninguna fila',
      advice: 'Rellene una fila por persona.',
    },
    'table-quote': {
      heading: 'Unas comillas de la fila {{row}} están sin cerrar o mal puestas',
      advice: 'Corrija la fila o guarde la hoja de cálculo como XLSX.',
    },
    'name-not-resolved': {
      heading: 'No se encontró la dirección del servicio',
      advice: 'No se ha enviado nada. Compruebe la dirección y la red.',
    },
    'connection-refused': {
      heading: 'Nada responde en la dirección del servicio',
      advice: 'No se ha enviado nada. Compruebe la dirección y el puerto, o inténtelo más tarde.',
    },
    'connection-lost': { heading: 'Se cortó la conexión', advice: 'Compruebe la red e inténtelo de nuevo.' },
    'tls-untrusted': {
      heading: 'El certificado del servicio no es de confianza',
      advice:
        'No se ha enviado nada. Si su organización tiene su propia autoridad, añada su certificado a la conexión.',
    },
    'tls-failed': {
      heading: 'No hay conexión segura',
      advice:
        'No se ha enviado nada. El servicio puede ser demasiado antiguo o pedir un certificado de cliente, o algún equipo intermedio interfiere.',
    },
    'tls-expired': {
      heading: 'El certificado del servicio no está vigente',
      advice:
        'No se ha enviado nada. Compruebe la fecha de este ordenador; si es correcta, pida a quien gestiona el servicio que renueve el certificado.',
    },
    'client-certificate-needed': {
      heading: 'El servicio pide un certificado de cliente',
      advice: 'No se ha realizado nada. Elija su certificado en la conexión, en «Más».',
    },
    'client-certificate-refused': {
      heading: 'El servicio no aceptó el certificado de cliente',
      advice:
        'No se ha realizado nada. Puede ser de otro servicio: pregunte a quien lo emitió y elija el correcto en la conexión, en «Más».',
    },
    'client-certificate-expired': {
      heading: 'El certificado de cliente ha caducado',
      advice: 'No se ha realizado nada. Pida uno nuevo a quien lo emitió y elíjalo en la conexión, en «Más».',
    },
    'proxy-failed': {
      heading: 'No se puede acceder al proxy',
      advice: 'No se ha enviado nada. Compruebe la red y el proxy en los ajustes de la conexión.',
    },
    'proxy-refused': {
      heading: 'El proxy rechazó la conexión',
      advice:
        'No se ha enviado nada. Pida a su departamento de informática que permita a Sealdesk acceder a la dirección del servicio.',
    },
    'proxy-login-needed': {
      heading: 'El proxy pide nombre de usuario y contraseña',
      advice: 'Nada llegó al servicio. Introdúzcalos en la conexión, en «Más».',
    },
    'proxy-login-refused': {
      heading: 'El proxy rechazó el nombre de usuario o la contraseña',
      advice: 'Nada llegó al servicio. Introdúzcalos de nuevo en la conexión, en «Más».',
    },
    'proxy-login-unsupported': {
      heading: 'El proxy pide un inicio de sesión de Windows',
      advice:
        'Nada llegó al servicio. Sealdesk solo inicia sesión con nombre de usuario y contraseña (Basic, no NTLM ni Negotiate). Pida a su departamento de informática que permita la dirección del servicio sin iniciar sesión.',
    },
    'no-connect-in-time': {
      heading: 'No se pudo conectar a tiempo',
      advice: 'No se ha enviado nada. Inténtelo de nuevo o permita más tiempo en los ajustes de la conexión.',
    },
    'reply-too-slow': {
      heading: 'La respuesta llegó demasiado despacio',
      advice: 'Inténtelo más tarde. Si sigue así, consulte con quien gestiona el servicio.',
    },
    'no-progress-in-time': {
      heading: 'La transferencia se detuvo',
      advice: 'Compruebe la red e inténtelo de nuevo.',
    },
    'no-answer-in-time': {
      heading: 'El servicio no respondió a tiempo',
      advice: 'Inténtelo más tarde o permita más tiempo en los ajustes de la conexión.',
    },
    'html-page': {
      heading: 'Llegó una página web en lugar de una respuesta',
      advice: 'Compruebe la dirección y la ruta; puede haber en medio una página de inicio de sesión de la red.',
    },
    redirected: {
      heading: 'Llegó otra dirección en lugar de una respuesta',
      advice:
        'No se siguió, para proteger las credenciales. Puede haber en medio una página de inicio de sesión de la red; si el servicio se ha mudado y confía en la nueva dirección, introdúzcala en la conexión.',
    },
    'http-status': {
      heading: 'El servicio respondió con un estado de error',
      advice: 'Compruebe la ruta o inténtelo más tarde.',
    },
    'unclear-answer': {
      heading: 'La respuesta no nombra ningún documento',
      advice: 'Puede haberse realizado. Lea la respuesta y compruébelo en el servicio antes de enviar de nuevo.',
    },
    'early-reply': {
      heading: 'Llegó una respuesta antes de enviar el documento',
      advice: 'Puede haber respondido algo entre este equipo y el servicio.',
    },
    'empty-reply': {
      heading: 'Llegó una respuesta vacía',
      advice: 'Compruebe la ruta o inténtelo más tarde.',
    },
    'wrong-reply': {
      heading: 'La respuesta es de otra operación',
      advice: 'Compruebe las rutas y el espacio de nombres de la conexión.',
    },
    'truncated-reply': {
      heading: 'La respuesta llegó incompleta',
      advice: 'Compruebe la red e inténtelo de nuevo.',
    },
    'not-xml': {
      heading: 'No se pudo leer la respuesta',
      advice: 'Compruebe la dirección y la ruta de la conexión.',
    },
    'reply-too-large': {
      heading: 'La respuesta era demasiado grande',
      advice: 'Consulte con el soporte del servicio.',
    },
    'soap-fault': { heading: 'El servicio notificó un error', advice: 'Vea abajo su respuesta.' },
    'soap-action-missing': {
      heading: 'El servicio rechaza la acción o el espacio de nombres',
      advice:
        'Compare el espacio de nombres de la conexión con el WSDL. Si es correcto, active «Enviar la acción en SOAP 1.2» o use SOAP 1.1.',
    },
    'negative-code': {
      heading: 'El servicio lo rechazó',
      advice: 'Abajo están su código y el significado.',
    },
    'no-document-in-reply': {
      heading: 'El servicio no entregó ningún documento',
      advice: 'Puede estar aún en proceso o no estar compartido con usted. Consulte antes su estado.',
    },
    'wsdl-unusable': {
      heading: 'No es un WSDL utilizable',
      advice: 'Compruebe la dirección (suele terminar en ?wsdl) o elija otro archivo.',
    },
    'port-in-use': { heading: 'El puerto está en uso', advice: 'Cierre el otro programa que lo usa o reinicie.' },
    'keychain-unavailable': {
      heading: 'No se puede usar el llavero del sistema',
      advice: 'Las credenciales se conservan hasta que salga.',
    },
    'secret-word-missing': {
      heading: 'Falta el código de acceso (palabra secreta)',
      advice: 'Ya no está guardado. No se ha enviado nada. Introdúzcalo de nuevo.',
    },
    'sending-held': {
      heading: 'El envío está retenido',
      advice: 'Varios envíos seguidos no tuvieron una respuesta clara. Este no ha salido. Decida en Inicio.',
    },
    'database-newer': {
      heading: 'Los registros locales son de una versión más reciente de Sealdesk',
      advice: 'Use esa versión. No se ha cambiado nada.',
    },
    'database-damaged': {
      heading: 'Los registros locales están dañados',
      advice: 'Restaure una copia de seguridad o reinicie Sealdesk para empezar con registros vacíos.',
    },
    'database-unreadable': {
      heading: 'No se pueden leer los registros locales',
      advice: 'Compruebe los permisos de la carpeta y reinicie Sealdesk.',
    },
    'database-missing': {
      heading: 'Faltan los registros locales',
      advice: 'Restaure una copia de seguridad o reinicie Sealdesk para empezar con registros vacíos.',
    },
    'database-moving': {
      heading: 'Los registros locales se están moviendo',
      advice: 'Inicie Sealdesk: eso se completa primero.',
    },
    managed: {
      heading: 'Administrado por su organización',
      advice: 'No se puede cambiar ni usar aquí. Consulte a su departamento de TI.',
    },
    'policy-broken': {
      heading: 'No se puede leer la directiva de su organización',
      advice: 'Hasta entonces no se envía nada a ningún servicio. Consulte a su departamento de TI.',
    },
    ...teamFailures,
  },
  codeLabel: 'Código',
  noteLabel: 'Nota',
  serviceCodeLabel: 'Código del servicio',
  rawLabel: 'Respuesta del servicio',
  referenceLabel: 'Referencia',
  about: '{{subject}}: {{heading}}',
  codeMeaning: 'Código {{code}}: {{meaning}}.',
  codeSays: 'El servicio responde: {{meaning}}.',
  codeUnknown: 'El código {{code}} es desconocido.',
  seemsToBe: 'No es un PDF ({{kind}})',
};
