import type { commands as english } from '../../en/command-line/commands.ts';
import type { Translation } from '../../translation.ts';

export const commands: Translation<typeof english, 'es'> = {
  requestCosts: '{{summary}} Cada solicitud cuesta créditos y envía correos a sus firmantes.',
  version: {
    summary: 'Muestra la versión de la API del servicio (GetVersion).',
    practice: 'del servicio de prueba',
    service: 'de un servicio',
  },
  schedule: { summary: 'Muestra el calendario del servicio (GetSchedule).', json: 'como objeto JSON' },
  token: {
    summary: 'Muestra un token de autenticación (GetAuthToken). Es secreto: cuide adónde va la salida.',
    saved: 'con las credenciales de una conexión guardada',
  },
  register: {
    summary:
      'Registra documentos PDF (AddNewDocument): archivos y carpetas con todo su contenido. Cada uno cuesta un crédito.',
    remarks:
      '--name, --description y --client-id admiten {name} (nombre del archivo sin extensión), {file}, {folder} y {n} (1, 2, 3…). En las carpetas se omiten los archivos que no son PDF. Un archivo cuyo contenido ya se envió con esta conexión se envía con una observación, o se omite con --skip-duplicates.',
    one: 'un documento en el servicio de prueba',
    folder: 'una carpeta con una conexión guardada, como líneas JSON',
  },
  requestSignatures: {
    summary: 'Registra un PDF y solicita firmas (AddNewDocumentESign).',
    two: 'dos firmantes',
    ownerFirst: 'usted firma primero',
  },
  easySign: {
    summary: 'Crea un documento de Easy Sign a partir de un PDF (AddNewEasySignDocument).',
    copy: 'un firmante y una copia',
    xml: 'con datos XML y una imagen',
  },
  easySignTemplate: {
    summary: 'Crea un documento de Easy Sign a partir de una plantilla del servicio (AddNewEasySignTemplate).',
    mail: 'con un correo propio',
  },
  status: {
    summary: 'Muestra el estado de un documento (GetDocumentStatus).',
    saved: 'de un documento de una conexión guardada',
  },
  details: {
    summary: 'Muestra los detalles de su documento (GetDocumentDetails).',
    json: 'como objeto JSON',
  },
  download: {
    summary: 'Descarga un documento suyo o compartido con usted (GetDocument).',
    here: 'en esta carpeta, con su ID como nombre',
    file: 'en el archivo que elija',
    replace: 'aunque el archivo ya exista',
  },
  requests: {
    summary: 'Enumera las solicitudes de firma (GetESignList). Las palabras secretas se omiten.',
    out: 'lo que está pendiente de firma',
    newest: 'lo más reciente primero',
    signed: 'lo que está firmado, como objeto JSON',
  },
  note: {
    summary: 'Crea una nota rápida (AddQuickNote). Puede costar un crédito.',
    description: 'una nota con descripción',
  },
  jobs: {
    summary:
      'Muestra lo que espera, es dudoso o requiere una decisión en los registros locales de una conexión, y lo resuelve.',
    actions: `list               lo que no ha terminado bien: en espera, dudoso, pendiente
                   de decisión, rechazado o fallido (--state para otros)
resume JOB…        termina sus pausas, retoma lo que dejaron programas ya
                   terminados, lo envía y espera el final. También con --all;
                   --batch BATCH termina la pausa de un lote; --queue, la de
                   todo
cancel JOB…        cancela lo que aún no ha empezado a enviarse. También con
                   --all
decide JOB…        con --send o --skip: sobre duplicados que esperan una
                   decisión; lo que tiene un colega solo se envía por su JOB
look JOB           pregunta al servicio qué fue de una tarea dudosa; con un
                   DOCUMENT-ID después de la tarea, si es ese documento. Solo
                   lee
accept JOB DOCUMENT-ID
                   resuelve una tarea dudosa: este documento es su resultado,
                   salvo que el servicio, al que se pregunta, lo contradiga
send-again JOB…    envía de nuevo lo rechazado, fallido o cancelado; una tarea
                   dudosa, solo con --yes-send-again
dismiss JOB…       quita de la lista lo terminado; los registros locales
                   conservan los documentos. También con --all`,
    others:
      'Las tareas de las que se ocupa otro programa se le dejan. Una tarea dudosa queda como está hasta que se aplica una de estas acciones.',
    open: 'lo que está abierto',
    left: 'envía lo que dejó un programa interrumpido',
    lost: 'si llegó un envío perdido',
  },
  verify: {
    summary:
      'Pregunta al servicio si los archivos son lo que se registró (ValidateDocument): archivos y carpetas con todo su contenido.',
    ends: 'Termina con 0 solo si todos los archivos están confirmados.',
    audit:
      'Con --audit se recuerda la carpeta con todas las respuestas: la próxima vez solo se consulta lo nuevo o modificado y solo se informa de lo que cambió o no está confirmado.',
    one: 'un archivo',
    folder: 'una carpeta, como líneas JSON',
    changed: 'qué ha cambiado en ella desde la última vez',
  },
  practice: {
    summary: 'Ejecuta el servicio de prueba en primer plano hasta Ctrl+C, para probar este u otro cliente.',
    credentials: 'Sus credenciales se crean en cada inicio, no sirven en ningún otro sitio y por eso se muestran.',
    same: 'siempre la misma dirección y los mismos datos',
    lose: 'pierde la respuesta a un documento',
  },
  doctor: {
    summary: 'Prueba una conexión paso a paso: nombre, red, proxy, TLS, SOAP, credenciales, Easy Sign.',
    json: 'Con --json hay un objeto por paso: answer.group es passed, failed, unclear o not-tried; answer.meaning es el paso;',
    details: 'details.proposal dice qué hacer; details.elements, qué nombres de elementos están en duda.',
    unclear:
      'Un paso no está claro si la respuesta del servicio no muestra si un ajuste es correcto. No cambia el código de salida.',
    saved: 'una conexión guardada',
  },
  pdfSignatures: {
    summary: 'Lo que las firmas de los PDF demuestran sobre los propios archivos.',
    asksNobody: 'No consulta ningún servicio, no necesita conexión ni red y no escribe ningún archivo.',
    known:
      'Quién es conocido está en los certificados y la lista de confianza que indica la directiva de la organización, o en las opciones. Una revocación solo se conoce si el archivo la contiene.',
    ends: 'Código de salida 0 si cada archivo tuvo respuesta, sea cual sea; otro solo si un archivo no se puede abrir.',
    one: 'un archivo, para una persona',
    json: 'un objeto JSON por archivo',
  },
  trustList: {
    summary:
      'Reduce listas de confianza (ETSI TS 119 612, como cada país de la UE publica la suya) a un archivo para la directiva trustList.',
    unsigned:
      'Se conservan los servicios cualificados de firmas, sellos y sellos de tiempo, con los periodos en que estuvieron autorizados. La firma de una lista no se comprueba: descargue las listas por https de las direcciones que indica la UE.',
    policy: 'No se escribe nada si alguna lista no se puede leer.',
    two: 'dos listas en un archivo',
  },
  policy: {
    summary: 'La directiva de la organización: qué fija, qué recomienda y qué no se puede usar de ella.',
    file: 'Con FILE se comprueba ese archivo sin que tenga efecto: para quien escribe una directiva.',
    check: 'código de salida 1 si hay errores',
  },
  team: {
    summary:
      'El registro compartido de un equipo en PostgreSQL: ACTION es init, status, doctor, invite, join, leave o resume.',
    password:
      'La contraseña se lee de SEALDESK_TEAM_PASSWORD; doctor y join la piden en un terminal. join la guarda en el llavero.',
    plan: 'muestra las instrucciones, no cambia nada',
    carryOut: 'las ejecuta',
    status: 'qué hay y qué puede hacer el usuario',
    resume: 'tras una restauración: el equipo puede volver a enviar',
    doctor: 'cada comprobación en una línea; código de salida 0 si se puede enviar',
    join: 'desde ahora cada documento se reserva primero en el registro',
    leave: 'queda una copia de lo que registraron los demás; con --yes aunque haya resultados sin comunicar',
    invite: 'lo que necesita una segunda persona, sin ningún secreto',
    letIn: 'crea también el usuario, sin contraseña',
    joinInvited: 'con lo que dice la invitación',
  },
  support: {
    summary: 'Crea un informe para soporte: versiones, configuración, prueba de la conexión, cantidades y sucesos.',
    holds: 'Sin secretos, contenidos, rutas ni nombres de personas. Lea los archivos antes de enviarlos.',
    here: 'un archivo zip en esta carpeta',
    folder: 'archivos de texto en la nueva carpeta report',
  },
};
