import type { commands as english } from '../../en/command-line/commands.ts';
import type { Translation } from '../../translation.ts';

export const commands: Translation<typeof english, 'fr'> = {
  requestCosts: '{{summary}} Chaque demande coûte des crédits et envoie des e-mails à ses signataires.',
  version: {
    summary: 'Affiche la version de l’API du service (GetVersion).',
    practice: 'celle du service d’essai',
    service: 'celle d’un service',
  },
  schedule: { summary: 'Affiche le calendrier du service (GetSchedule).', json: 'comme objet JSON' },
  token: {
    summary:
      'Affiche un jeton d’authentification (GetAuthToken). Il est secret : veillez à la destination de la sortie.',
    saved: 'avec les identifiants d’une connexion enregistrée',
  },
  register: {
    summary:
      'Inscrit des documents PDF au registre (AddNewDocument) : des fichiers, et des dossiers avec tout leur contenu. Chacun coûte un crédit.',
    remarks:
      '--name, --description et --client-id peuvent contenir {name} (nom du fichier sans extension), {file}, {folder} et {n} (1, 2, 3 …). Dans les dossiers, les fichiers qui ne sont pas des PDF sont ignorés. Un fichier dont le contenu a déjà été envoyé par cette connexion est envoyé avec une remarque, ou ignoré avec --skip-duplicates.',
    one: 'un document au service d’essai',
    folder: 'un dossier par une connexion enregistrée, en lignes JSON',
  },
  requestSignatures: {
    summary: 'Inscrit un PDF au registre et demande à des personnes de le signer (AddNewDocumentESign).',
    two: 'deux signataires',
    ownerFirst: 'vous signez en premier',
  },
  easySign: {
    summary: 'Crée un document Easy Sign à partir d’un PDF (AddNewEasySignDocument).',
    copy: 'un signataire et une copie',
    xml: 'avec des données XML et une image',
  },
  easySignTemplate: {
    summary: 'Crée un document Easy Sign à partir d’un modèle de la bibliothèque du service (AddNewEasySignTemplate).',
    mail: 'avec votre propre e-mail',
  },
  status: {
    summary: 'Affiche l’état de traitement d’un document (GetDocumentStatus).',
    saved: 'd’un document par une connexion enregistrée',
  },
  details: {
    summary: 'Affiche les détails de votre document (GetDocumentDetails).',
    json: 'comme objet JSON',
  },
  download: {
    summary: 'Télécharge un document qui vous appartient ou qui est partagé avec vous (GetDocument).',
    here: 'dans ce dossier, sous le nom de son ID',
    file: 'dans un fichier de votre choix',
    replace: 'même s’il en existe déjà un',
  },
  requests: {
    summary: 'Liste les demandes de signature (GetESignList). Les mots secrets sont omis.',
    out: 'ce qui est en attente de signature',
    newest: 'les plus récentes d’abord',
    signed: 'ce qui est signé, comme objet JSON',
  },
  note: {
    summary: 'Crée une note rapide (AddQuickNote). Elle peut coûter un crédit.',
    description: 'une note avec une description',
  },
  jobs: {
    summary:
      'Montre ce qui attend, est incertain ou demande une décision dans les données d’une connexion, et le règle.',
    actions: `list               ce qui ne s’est pas bien terminé : en attente, incertain, à
                   décider, refusé, échoué (--state pour le reste)
resume JOB…        met fin à leurs pauses, reprend ce qu’ont laissé des
                   programmes terminés, l’envoie et attend la fin. Aussi avec
                   --all ; --batch BATCH met fin à la pause d’un lot, --queue
                   à celle de tout
cancel JOB…        annule ce qui n’a pas commencé à partir. Aussi avec --all
decide JOB…        avec --send ou --skip : pour les doublons qui attendent une
                   décision ; ce qu’a un collègue n’est envoyé que par son
                   JOB
look JOB           demande au service ce qu’est devenue une tâche incertaine ;
                   avec un DOCUMENT-ID après la tâche, si c’est ce document.
                   Lit seulement
accept JOB DOCUMENT-ID
                   règle une tâche incertaine : elle est devenue ce document,
                   sauf si le service, à qui on le demande, contredit
send-again JOB…    renvoie ce qui a été refusé, a échoué ou a été annulé ; une
                   tâche incertaine seulement avec --yes-send-again
dismiss JOB…       retire de la liste ce qui est terminé ; les documents restent
                   dans les données locales. Aussi avec --all`,
    others:
      'Les tâches qu’un autre programme traite lui sont laissées. Une tâche incertaine n’est pas touchée tant qu’on n’emploie pas l’une de ces actions.',
    open: 'ce qui est en cours',
    left: 'envoie ce qu’a laissé un programme interrompu',
    lost: 'si un envoi sans réponse est arrivé',
  },
  verify: {
    summary:
      'Demande au service si des fichiers sont ce qui a été inscrit (ValidateDocument) : des fichiers, et des dossiers avec tout leur contenu.',
    ends: 'Se termine par 0 seulement si chaque fichier est confirmé.',
    audit:
      'Avec --audit, le dossier est mémorisé avec toutes les réponses : la fois suivante, la question n’est posée que pour ce qui est nouveau ou modifié, et seul ce qui a changé ou n’est pas confirmé est signalé.',
    one: 'un fichier',
    folder: 'un dossier, en lignes JSON',
    changed: 'ce qui y a changé depuis la dernière fois',
  },
  practice: {
    summary: 'Lance le service d’essai au premier plan jusqu’à Ctrl-C, pour essayer ce client ou tout autre.',
    credentials:
      'Ses identifiants sont créés à chaque démarrage, ne servent nulle part ailleurs et sont donc affichés.',
    same: 'la même adresse et les mêmes données à chaque fois',
    lose: 'perd la réponse à un document',
  },
  doctor: {
    summary: 'Teste une connexion étape par étape : nom, réseau, proxy, TLS, SOAP, identifiants, Easy Sign.',
    json: 'Avec --json, il y a un objet par étape : answer.group vaut passed, failed, unclear ou not-tried, answer.meaning est l’étape ;',
    details: 'details.proposal dit que faire, details.elements quels noms d’éléments sont en cause.',
    unclear:
      'Une étape est incertaine si le service a répondu sans montrer qu’un paramètre est correct. Cela ne change pas le code de sortie.',
    saved: 'une connexion enregistrée',
  },
  pdfSignatures: {
    summary: 'Ce que les signatures des PDF prouvent sur les fichiers eux-mêmes.',
    asksNobody: 'N’interroge aucun service, n’a besoin ni de connexion ni de réseau et n’écrit aucun fichier.',
    known:
      'Qui est connu figure dans les certificats et la liste de confiance que nomme la stratégie de l’organisation, ou dans les options. Une révocation n’est connue que si le fichier la contient.',
    ends: 'Code de sortie 0 si chaque fichier a reçu une réponse, quelle qu’elle soit ; un autre seulement si un fichier ne peut pas être ouvert.',
    one: 'un fichier, pour une personne',
    json: 'un objet JSON par fichier',
  },
  trustList: {
    summary:
      'Réduit des listes de confiance (ETSI TS 119 612, telles que chaque pays de l’UE publie la sienne) à un fichier pour la stratégie trustList.',
    unsigned:
      'Sont gardés les services qualifiés de signature, de cachet et d’horodatage, avec leurs périodes d’agrément. La signature d’une liste n’est pas vérifiée : téléchargez les listes en https aux adresses que l’UE indique.',
    policy: 'Rien n’est écrit si une liste ne peut pas être lue.',
    two: 'deux listes dans un fichier',
  },
  policy: {
    summary:
      'La stratégie de l’organisation : ce qu’elle fixe, ce qu’elle recommande et ce qui n’en est pas utilisable.',
    file: 'Avec FILE, ce fichier est vérifié sans prendre effet : pour qui rédige une stratégie.',
    check: 'code de sortie 1 en cas d’erreurs',
  },
  team: {
    summary:
      'Le registre partagé d’une équipe sur PostgreSQL : ACTION vaut init, status, doctor, invite, join, leave ou resume.',
    password:
      'Le mot de passe est lu dans SEALDESK_TEAM_PASSWORD ; doctor et join le demandent sur un terminal. join le garde dans le trousseau.',
    plan: 'affiche les instructions, ne change rien',
    carryOut: 'les exécute',
    status: 'ce qui existe et ce que l’utilisateur peut faire',
    resume: 'après une restauration : laisse l’équipe envoyer de nouveau',
    doctor: 'chaque vérification sur une ligne ; code de sortie 0 si l’envoi est possible',
    join: 'désormais chaque document est d’abord réservé dans le registre',
    leave:
      'une copie de ce que vos collègues ont inscrit reste ; avec --yes même si des résultats ne sont pas communiqués',
    invite: 'ce dont une deuxième personne a besoin, sans aucun secret',
    letIn: 'crée aussi l’utilisateur, sans mot de passe',
    joinInvited: 'avec ce que dit l’invitation',
  },
  support: {
    summary: 'Crée un rapport pour le support : versions, paramètres, test de la connexion, nombres et journal.',
    holds: 'Sans secrets, contenus, chemins ni noms de personnes. Lisez les fichiers avant de les envoyer.',
    here: 'un fichier zip dans ce dossier',
    folder: 'des fichiers texte dans le nouveau dossier report',
  },
};
