import type { texts as english } from '../en/policies.ts';
import type { Translation } from '../translation.ts';

export const texts: Translation<typeof english, 'fr'> = {
  category: 'Sealdesk',
  recommended: 'Recommandé (modifiable par les utilisateurs)',
  supported: 'Sealdesk',
  explain: 'Activé : la valeur s’applique et les utilisateurs ne peuvent pas la modifier.',
  explainRecommended: 'Activé : la valeur s’applique jusqu’à ce que quelqu’un en choisisse une autre.',
  settings: {
    theme: { name: 'Thème', help: 'Couleurs de la fenêtre.' },
    language: { name: 'Langue', help: 'Langue de la fenêtre, des menus et des notifications.' },
    notifications: {
      name: 'Notifications',
      help: 'Notifications du bureau sur les demandes de signature et les échéances.',
    },
    tray: { name: 'Icône de notification', help: 'Affiche une icône dans la zone de notification du système.' },
    closeToTray: {
      name: 'Continuer sans fenêtre',
      help: 'Le programme continue après la fermeture de sa fenêtre, tant que son icône est affichée.',
    },
    atOnce: {
      name: 'Fichiers simultanés',
      help: 'Fichiers envoyés ou vérifiés en même temps, sur toutes les connexions.',
    },
    requestWait: {
      name: 'Secondes pour annuler une demande',
      help: 'Secondes pendant lesquelles l’envoi d’une demande de signature ou d’une note peut être annulé.',
    },
    registerWait: {
      name: 'Secondes pour annuler une inscription',
      help: 'Secondes pendant lesquelles l’envoi d’une inscription au registre peut être annulé.',
    },
    callsPerHour: {
      name: 'Appels automatiques par heure',
      help: 'Nombre maximal d’appels que le programme adresse de lui-même aux services en une heure.',
    },
    automaticCalls: {
      name: 'Actualisation automatique',
      help: 'Si le programme consulte de lui-même l’état des demandes de signature.',
    },
    connections: {
      name: 'Connexions',
      help: 'Connexions pour tous, sous forme de liste JSON. Ce qu’une connexion indique est verrouillé ; elle ne peut pas contenir d’identifiants.',
    },
    ownConnections: {
      name: 'Connexions personnelles',
      help: 'Si les utilisateurs peuvent ajouter des connexions et utiliser celles qu’aucune stratégie ne fournit.',
    },
    proxy: {
      name: 'Proxy',
      help: 'Proxy de toutes les connexions : system, none ou une adresse telle que http://proxy.example:3128.',
    },
    extraCa: {
      name: 'Autorités de certification supplémentaires',
      help: 'Certificats PEM auxquels toutes les connexions font confiance, outre ceux du système.',
    },
    parallel: { name: 'Envois par connexion', help: 'Envois simultanés sur chaque connexion.' },
    verifyPerMinute: {
      name: 'Vérifications par minute',
      help: 'Nombre maximal d’appels par minute pour vérifier des fichiers, pour chaque connexion.',
    },
    updates: {
      name: 'Mises à jour automatiques',
      help: 'Si le programme peut se mettre à jour lui-même. Il ne le fait jamais sans adresse ni clé.',
    },
    updateFeed: {
      name: 'Adresse des mises à jour',
      help: 'Adresse du dossier des mises à jour : https, ou http sur cet ordinateur.',
    },
    updateKey: {
      name: 'Clés des mises à jour',
      help: 'Clés publiques Ed25519 (base64, DER), séparées par des espaces, dont une doit avoir signé la liste.',
    },
    updatePublisher: {
      name: 'Éditeur des mises à jour',
      help: 'Windows : nom dans le certificat de la signature du programme d’installation.',
    },
    requestWaitAtLeast: {
      name: 'Minimum de secondes pour annuler une demande',
      help: 'Le minimum que les utilisateurs peuvent choisir pour les demandes et les notes.',
    },
    registerWaitAtLeast: {
      name: 'Minimum de secondes pour annuler une inscription',
      help: 'Le minimum que les utilisateurs peuvent choisir pour les inscriptions au registre.',
    },
    trustedCertificates: {
      name: 'Certificats connus',
      help: 'Dossier contenant les certificats (.cer, .crt, .der, .pem) des autorités et des signataires connus de l’organisation.',
    },
    trustList: {
      name: 'Liste de confiance',
      help: 'Fichier de listes de confiance, tel que l’écrit sealdesk-cli trust-list.',
    },
    exportLists: {
      name: 'Exporter des listes',
      help: 'Si les utilisateurs peuvent enregistrer des listes : demandes, résultats d’envois groupés, documents inscrits, carnet d’adresses, réponses, modèles.',
    },
    exportReports: {
      name: 'Exporter des rapports de vérification',
      help: 'Si les utilisateurs peuvent enregistrer des rapports de vérification.',
    },
    exportReceipts: { name: 'Exporter des reçus', help: 'Si les utilisateurs peuvent enregistrer des reçus d’envoi.' },
    exportDiagnostics: {
      name: 'Exporter le diagnostic',
      help: 'Si les utilisateurs peuvent enregistrer le rapport de diagnostic pour l’assistance.',
    },
    saveDocuments: {
      name: 'Enregistrer des documents',
      help: 'Si les utilisateurs peuvent télécharger des documents dans des fichiers.',
    },
  },
};
