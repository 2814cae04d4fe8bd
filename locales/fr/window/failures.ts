import type { enFailures } from '../../en/window/failures.ts';
import type { Translation } from '../../translation.ts';
import { teamFailures } from '../shared/team-failures.ts';

export const frFailures: Translation<typeof enFailures, 'fr'> = {
  code: {
    'bad-input': {
      heading: 'Certaines saisies ne sont pas valides',
      advice: 'Corrigez les champs marqués et réessayez.',
    },
    'not-found': {
      heading: 'Introuvable',
      advice: 'Supprimé entre-temps. Revenez à la liste.',
    },
    'not-connected': {
      heading: 'La connexion n’a pas d’identifiants',
      advice: 'Saisissez la clé et la signature API dans Connexions. Les deux sont sur le portail du service.',
    },
    'credentials-rejected': {
      heading: 'Le service a rejeté les identifiants',
      advice: 'Saisissez à nouveau la clé et la signature API dans Connexions, comme sur le portail du service.',
    },
    'service-refused': {
      heading: 'Le service a refusé',
      advice: 'Voyez sa réponse ci-dessous. Corrigez ce qu’elle indique, ou demandez au support du service.',
    },
    'service-unreachable': {
      heading: 'Le service n’a pas pu être joint',
      advice: 'Rien n’a été envoyé. Vérifiez le réseau, ou utilisez Tester la connexion dans Connexions.',
    },
    'service-timeout': {
      heading: 'Le service a mis trop de temps',
      advice: 'Réessayez plus tard, ou accordez plus de temps dans les paramètres de la connexion.',
    },
    'outcome-unknown': {
      heading: 'Aucune réponse claire reçue',
      advice: 'C’est peut-être fait. Contrôlez auprès du service avant de renvoyer.',
    },
    'reply-unreadable': {
      heading: 'La réponse ne vient pas de ce service',
      advice: 'Contrôlez l’adresse et les chemins de la connexion.',
    },
    'file-unreadable': {
      heading: 'Le fichier ne peut pas être lu',
      advice: 'Vérifiez qu’il existe encore et que vous pouvez l’ouvrir.',
    },
    'file-changed': {
      heading: 'Le fichier a changé pendant la lecture',
      advice: 'Fermez-le dans les autres programmes, puis choisissez-le à nouveau.',
    },
    cancelled: { heading: 'Annulé', advice: 'Il ne se passe plus rien.' },
    'storage-full': { heading: 'Le disque est plein', advice: 'Libérez de l’espace, puis réessayez.' },
    'storage-busy': {
      heading: 'Un autre programme utilise les données locales',
      advice: 'Rien n’a été modifié. Réessayez dans un instant.',
    },
    'storage-unusable': {
      heading: 'Les données de Sealdesk n’ont pas pu être lues ou écrites',
      advice: 'Vérifiez que le disque n’est pas protégé en écriture, puis redémarrez Sealdesk.',
    },
    bug: {
      heading: 'Un imprévu s’est produit',
      advice: 'Réessayez. Si cela se répète, donnez au support la référence ci-dessous.',
    },
  },
  detail: {
    'file-missing': {
      heading: 'Le fichier est introuvable',
      advice: 'Il a été déplacé, renommé ou supprimé. Choisissez-le à nouveau.',
    },
    'file-denied': {
      heading: 'Vous n’avez pas le droit d’ouvrir ce fichier',
      advice: 'Demandez l’accès à son propriétaire.',
    },
    'file-locked': {
      heading: 'Un autre programme utilise ce fichier',
      advice: 'Fermez-le là-bas, puis réessayez.',
    },
    'file-empty': { heading: 'Le fichier est vide', advice: 'Choisissez un autre fichier.' },
    'file-is-folder': { heading: 'C’est un dossier', advice: 'Déposez-le, ou utilisez « Choisir un dossier… ».' },
    'file-not-pdf': {
      heading: 'Ce n’est pas un PDF',
      advice: 'Seuls des PDF peuvent être inscrits. Enregistrez-le d’abord en PDF.',
    },
    'file-encrypted': {
      heading: 'Le PDF est chiffré',
      advice: 'Enregistrez d’abord une copie sans mot de passe.',
    },
    'target-not-writable': {
      heading: 'Le fichier ne peut pas être écrit à cet endroit',
      advice: 'Choisissez un autre dossier.',
    },
    'drive-error': { heading: 'Le lecteur signale une erreur', advice: 'Vérifiez le lecteur, puis réessayez.' },
    'too-many-open-files': {
      heading: 'Trop de fichiers sont ouverts sur cet ordinateur',
      advice: 'Fermez d’autres programmes, puis réessayez.',
    },
    'data-folder-denied': {
      heading: 'Sealdesk ne peut pas écrire dans son dossier de données',
      advice: 'Vérifiez ses droits d’accès, et que le disque n’est pas protégé en écriture.',
    },
    'id-unusable': {
      heading: 'Ce n’est pas un identifiant de document',
      advice: 'Il a 32 chiffres et lettres de a à f, avec des tirets : copiez-le depuis le portail du service.',
    },
    'id-taken': {
      heading: '« {{name}} » a cet identifiant',
      advice: 'Chaque document a son propre identifiant : copiez celui de ce document depuis le portail du service.',
    },
    'target-exists': {
      heading: 'Un fichier de ce nom existe déjà',
      advice: 'Enregistrez sous un autre nom.',
    },
    'service-changed': {
      heading: 'La connexion mène maintenant à une autre adresse',
      advice: 'Le reste n’y a pas été demandé. Lancez un nouveau téléchargement.',
    },
    'path-too-long': {
      heading: 'Le chemin est trop long',
      advice: 'Déplacez le fichier dans un dossier plus haut, ou raccourcissez les noms de dossiers.',
    },
    'file-special': {
      heading: 'C’est un périphérique ou un tube, pas un fichier',
      advice: 'Choisissez un fichier.',
    },
    'copy-changed': {
      heading: 'La copie du fichier faite par Sealdesk a été modifiée',
      advice:
        'Le service ne l’a pas reçue. Renvoyez-la, ce qui copie à nouveau le fichier, ou choisissez à nouveau le fichier.',
    },
    'file-name': {
      heading: 'Ce fichier peut être confondu avec un autre : son nom n’est pas en UTF-8, ou ressemble à un tel nom',
      advice: 'Renommez le fichier.',
    },
    'table-unreadable': {
      heading: 'Le fichier n’est pas un tableau lisible',
      advice: 'Ouvrez-le dans un tableur et enregistrez-le en XLSX ou CSV.',
    },
    'table-old': {
      heading: 'Un ancien fichier Excel, ou un fichier avec mot de passe',
      advice: 'Enregistrez-le dans Excel en XLSX, sans mot de passe.',
    },
    'table-too-large': {
      heading: 'Le fichier est trop grand pour être lu',
      advice: 'Supprimez ce qui est inutile, ou répartissez-le en plusieurs fichiers.',
    },
    'table-rows': {
      heading: 'Le tableau a trop de lignes',
      advice: 'Répartissez-le en fichiers de 10 000 lignes au plus.',
    },
    'table-columns': {
      heading: 'Le tableau a trop de colonnes',
      advice: 'Gardez-en 100 au plus : supprimez celles qui sont inutiles.',
    },
    'table-empty': {
      heading: 'Le tableau a des titres et aucune ligne',
      advice: 'Remplissez une ligne par personne.',
    },
    'table-quote': {
      heading: 'Un guillemet de la ligne {{row}} est ouvert ou mal placé',
      advice: 'Corrigez la ligne, ou enregistrez le tableau en XLSX.',
    },
    'name-not-resolved': {
      heading: 'L’adresse du service est introuvable',
      advice: 'Rien n’a été envoyé. Vérifiez l’adresse et le réseau.',
    },
    'connection-refused': {
      heading: 'Rien ne répond à l’adresse du service',
      advice: 'Rien n’a été envoyé. Vérifiez l’adresse et le port, ou réessayez plus tard.',
    },
    'connection-lost': { heading: 'La liaison a été coupée', advice: 'Vérifiez le réseau, puis réessayez.' },
    'tls-untrusted': {
      heading: 'Le certificat du service n’est pas fiable',
      advice: 'Rien n’a été envoyé. Si votre organisation a sa propre autorité, ajoutez son certificat à la connexion.',
    },
    'tls-failed': {
      heading: 'Pas de liaison sécurisée',
      advice:
        'Rien n’a été envoyé. Le service est peut-être trop ancien ou demande un certificat client, ou un appareil intermédiaire interfère.',
    },
    'tls-expired': {
      heading: 'Le certificat du service n’est pas en cours de validité',
      advice:
        'Rien n’a été envoyé. Vérifiez la date de cet ordinateur ; si elle est juste, demandez à l’exploitant du service de renouveler le certificat.',
    },
    'client-certificate-needed': {
      heading: 'Le service demande un certificat client',
      advice: 'Rien n’a été effectué. Choisissez votre certificat dans la connexion, sous « Plus ».',
    },
    'client-certificate-refused': {
      heading: 'Le service n’a pas accepté le certificat client',
      advice:
        'Rien n’a été effectué. Il est peut-être destiné à un autre service : demandez à son émetteur, puis choisissez le bon dans la connexion, sous « Plus ».',
    },
    'client-certificate-expired': {
      heading: 'Le certificat client a expiré',
      advice:
        'Rien n’a été effectué. Demandez-en un nouveau à son émetteur et choisissez-le dans la connexion, sous « Plus ».',
    },
    'proxy-failed': {
      heading: 'Le proxy est injoignable',
      advice: 'Rien n’a été envoyé. Vérifiez le réseau, ainsi que le proxy dans les paramètres de la connexion.',
    },
    'proxy-refused': {
      heading: 'Le proxy a refusé la liaison',
      advice:
        'Rien n’a été envoyé. Demandez à votre service informatique d’autoriser Sealdesk vers l’adresse du service.',
    },
    'proxy-login-needed': {
      heading: 'Le proxy demande un nom d’utilisateur et un mot de passe',
      advice: 'Rien n’est parvenu au service. Saisissez-les dans la connexion, sous « Plus ».',
    },
    'proxy-login-refused': {
      heading: 'Le proxy a rejeté le nom d’utilisateur ou le mot de passe',
      advice: 'Rien n’est parvenu au service. Saisissez-les à nouveau dans la connexion, sous « Plus ».',
    },
    'proxy-login-unsupported': {
      heading: 'Le proxy demande une authentification Windows',
      advice:
        'Rien n’est parvenu au service. Sealdesk ne s’authentifie que par nom d’utilisateur et mot de passe (Basic, ni NTLM ni Negotiate). Demandez à votre service informatique d’autoriser l’adresse du service sans authentification.',
    },
    'no-connect-in-time': {
      heading: 'Liaison impossible à temps',
      advice: 'Rien n’a été envoyé. Réessayez, ou accordez plus de temps dans les paramètres de la connexion.',
    },
    'reply-too-slow': {
      heading: 'La réponse est arrivée trop lentement',
      advice: 'Réessayez plus tard. Si cela dure, demandez à l’exploitant du service.',
    },
    'no-progress-in-time': { heading: 'Le transfert s’est arrêté', advice: 'Vérifiez le réseau, puis réessayez.' },
    'no-answer-in-time': {
      heading: 'Le service n’a pas répondu à temps',
      advice: 'Réessayez plus tard, ou accordez plus de temps dans les paramètres de la connexion.',
    },
    'html-page': {
      heading: 'Une page web est arrivée au lieu d’une réponse',
      advice: 'Vérifiez l’adresse et le chemin ; une page de connexion du réseau s’interpose peut-être.',
    },
    redirected: {
      heading: 'Une autre adresse est arrivée au lieu d’une réponse',
      advice:
        'Non suivie, pour protéger les identifiants. Une page de connexion du réseau s’interpose peut-être ; si le service a déménagé et que vous faites confiance à la nouvelle adresse, saisissez-la dans la connexion.',
    },
    'http-status': {
      heading: 'Le service a répondu par un code d’erreur',
      advice: 'Vérifiez le chemin, ou réessayez plus tard.',
    },
    'unclear-answer': {
      heading: 'La réponse ne nomme aucun document',
      advice: 'C’est peut-être fait. Lisez la réponse et contrôlez auprès du service avant de renvoyer.',
    },
    'early-reply': {
      heading: 'Une réponse est arrivée avant l’envoi du document',
      advice: 'Un intermédiaire entre ici et le service a peut-être répondu.',
    },
    'empty-reply': {
      heading: 'Une réponse vide est arrivée',
      advice: 'Vérifiez le chemin, ou réessayez plus tard.',
    },
    'wrong-reply': {
      heading: 'La réponse concerne une autre opération',
      advice: 'Vérifiez les chemins et l’espace de noms de la connexion.',
    },
    'truncated-reply': { heading: 'La réponse est incomplète', advice: 'Vérifiez le réseau, puis réessayez.' },
    'not-xml': {
      heading: 'La réponse est illisible',
      advice: 'Vérifiez l’adresse et le chemin de la connexion.',
    },
    'reply-too-large': {
      heading: 'La réponse est trop volumineuse',
      advice: 'Demandez au support du service.',
    },
    'soap-fault': { heading: 'Le service a signalé une erreur', advice: 'Voyez sa réponse ci-dessous.' },
    'soap-action-missing': {
      heading: 'Le service refuse l’action ou l’espace de noms',
      advice:
        'Comparez l’espace de noms de la connexion avec le WSDL. S’il est juste, activez « Envoyer l’action en SOAP 1.2 », ou utilisez SOAP 1.1.',
    },
    'negative-code': {
      heading: 'Le service a refusé',
      advice: 'Son code et le sens de celui-ci figurent ci-dessous.',
    },
    'no-document-in-reply': {
      heading: 'Le service n’a pas fourni de document',
      advice: 'Il est peut-être encore en traitement, ou pas partagé avec vous. Consultez d’abord son état.',
    },
    'wsdl-unusable': {
      heading: 'Ce n’est pas un WSDL utilisable',
      advice: 'Vérifiez l’adresse (elle finit souvent par ?wsdl) ou choisissez un autre fichier.',
    },
    'port-in-use': {
      heading: 'Le port est occupé',
      advice: 'Fermez l’autre programme qui l’utilise, ou redémarrez.',
    },
    'keychain-unavailable': {
      heading: 'Le trousseau du système ne peut pas être utilisé',
      advice: 'Les identifiants sont conservés jusqu’à la fermeture.',
    },
    'secret-word-missing': {
      heading: 'Le code d’accès (mot secret) manque',
      advice: 'Il n’est plus stocké. Rien n’a été envoyé. Saisissez-le à nouveau.',
    },
    'sending-held': {
      heading: 'L’envoi est suspendu',
      advice:
        'Plusieurs envois de suite n’ont pas eu de réponse claire. Celui-ci n’est pas parti. Décidez dans « Accueil ».',
    },
    'database-newer': {
      heading: 'Les données locales viennent d’une version plus récente de Sealdesk',
      advice: 'Utilisez cette version. Rien n’a été modifié.',
    },
    'database-damaged': {
      heading: 'Les données locales sont endommagées',
      advice: 'Restaurez une sauvegarde, ou redémarrez Sealdesk pour commencer avec des données vides.',
    },
    'database-unreadable': {
      heading: 'Les données locales ne peuvent pas être lues',
      advice: 'Vérifiez les droits d’accès au dossier, puis redémarrez Sealdesk.',
    },
    'database-missing': {
      heading: 'Les données locales manquent',
      advice: 'Restaurez une sauvegarde, ou redémarrez Sealdesk pour commencer avec des données vides.',
    },
    'database-moving': {
      heading: 'Les données locales sont en cours de déplacement',
      advice: 'Démarrez Sealdesk : il termine cela d’abord.',
    },
    managed: {
      heading: 'Géré par votre organisation',
      advice: 'Cela ne peut être ni modifié ni utilisé ici. Adressez-vous à votre service informatique.',
    },
    'policy-broken': {
      heading: 'La stratégie de votre organisation ne peut pas être lue',
      advice: 'D’ici là, rien n’est envoyé à un service. Adressez-vous à votre service informatique.',
    },
    ...teamFailures,
  },
  codeLabel: 'Code',
  noteLabel: 'Remarque',
  serviceCodeLabel: 'Code du service',
  rawLabel: 'Réponse du service',
  referenceLabel: 'Référence',
  about: '{{subject}} : {{heading}}',
  codeMeaning: 'Code {{code}} : {{meaning}}.',
  codeSays: 'Réponse du service : {{meaning}}.',
  codeUnknown: 'Le code {{code}} est inconnu.',
  seemsToBe: 'Pas un PDF ({{kind}})',
};
