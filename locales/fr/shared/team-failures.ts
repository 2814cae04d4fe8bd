/** What is wrong with a team register, and what to do, by the detail of the failure. */
export const teamFailures = {
  'team-away': {
    heading: 'Le registre d’équipe est injoignable',
    advice: 'Les documents attendent et partent dès son retour. Rien n’est perdu.',
  },
  'team-login-refused': {
    heading: 'Le registre d’équipe a refusé l’ouverture de session',
    advice:
      'Vérifiez l’utilisateur et le mot de passe dans Connexions, ou demandez à votre service informatique si cet ordinateur est admis.',
  },
  'team-certificate': {
    heading: 'Le certificat du registre d’équipe n’est pas approuvé',
    advice: 'Choisissez le fichier de son autorité de certification et utilisez le nom qui figure dans le certificat.',
  },
  'team-not-encrypted': {
    heading: 'Le registre d’équipe n’offre pas de chiffrement',
    advice:
      'Demandez à votre service informatique d’activer TLS. Sans TLS, seul un registre sur cet ordinateur est utilisé.',
  },
  'team-weak-login': {
    heading: 'La connexion au registre d’équipe n’est pas protégée',
    advice:
      'Rien n’a été envoyé. Demandez à votre service informatique de régler « scram-sha-256 » pour votre utilisateur ou d’activer TLS.',
  },
  'team-password-needed': {
    heading: 'Saisissez le mot de passe de ce registre d’équipe',
    advice:
      'Celui qui est conservé vaut pour une autre adresse, base de données, autorité de certification ou un autre utilisateur. Saisissez-le sous Connexions. Rien n’a été envoyé.',
  },
  'team-missing': {
    heading: 'Il n’y a pas de registre d’équipe à cette adresse',
    advice:
      'Vérifiez les noms de la base de données et de l’équipe. Un responsable le crée avec « sealdesk-cli team init ».',
  },
  'team-newer': {
    heading: 'Le registre d’équipe a été mis à jour pour une version plus récente de Sealdesk',
    advice: 'Mettez Sealdesk à jour pour envoyer. D’ici là, vous pouvez lire, et les documents attendent.',
  },
  'team-older': {
    heading: 'Le registre d’équipe est plus ancien que ce Sealdesk ne l’exige',
    advice: 'Un responsable le met à jour avec « sealdesk-cli team init ». Les documents attendent.',
  },
  'team-rights': {
    heading: 'Votre utilisateur du registre d’équipe n’y est pas autorisé',
    advice: 'Demandez à un responsable le rôle « member », ou « lead » pour décider à la place d’autres.',
  },
  'team-too-large': {
    heading: 'Le registre d’équipe contient un élément beaucoup trop grand',
    advice:
      'Sa réponse n’a pas été lue, et les documents attendent. Un responsable devrait chercher un texte très long dans les tables du registre.',
  },
  'team-not-a-register': {
    heading: 'Ce qui répond là n’est pas un registre d’équipe',
    advice: 'Rien n’a été envoyé. Vérifiez l’hôte et le port. Sealdesk ne se connecte que par mot de passe.',
  },
  'team-busy': {
    heading: 'Le registre d’équipe est occupé',
    advice:
      'Des modifications y sont inachevées, il n’a plus de connexion libre, ou il refuse ce qui est demandé. Les documents attendent. La personne qui gère la base de données peut en voir la raison et fermer une telle session.',
  },
  'team-full': {
    heading: 'Le registre d’équipe n’accepte pas de modifications',
    advice:
      'Son disque est plein, c’est un serveur de secours, ou il est en lecture seule. Prévenez votre service informatique ; les documents attendent.',
  },
  'team-restored': {
    heading: 'Le registre d’équipe a été restauré, ou son serveur a changé',
    advice:
      'Les documents attendent que chaque programme se soit de nouveau manifesté et qu’un responsable exécute « sealdesk-cli team resume ».',
  },
  'team-other-service': {
    heading: 'L’équipe utilise un autre service',
    advice:
      'Rien n’a été envoyé. Une équipe a un service et un compte. Si c’est le même service sous un autre nom, rejoignez-la en le confirmant.',
  },
} as const;
