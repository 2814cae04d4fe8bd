/** What is wrong with a team register, and what to do, by the detail of the failure. */
export const teamFailures = {
  'team-away': {
    heading: 'The team register is not reachable',
    advice: 'Documents wait and are sent as soon as it is back. Nothing is lost.',
  },
  'team-login-refused': {
    heading: 'The team register refused the sign-in',
    advice: 'Check user and password under Connections, or ask your IT department whether this computer is let in.',
  },
  'team-certificate': {
    heading: 'The certificate of the team register is not trusted',
    advice: 'Choose the file of its certificate authority, and use the name that is in the certificate.',
  },
  'team-not-encrypted': {
    heading: 'The team register offers no encryption',
    advice: 'Ask your IT department to switch on TLS. Without it only a register on this computer is used.',
  },
  'team-weak-login': {
    heading: 'The sign-in at the team register is not protected',
    advice: 'Nothing was sent. Ask your IT department to set “scram-sha-256” for your user, or to switch on TLS.',
  },
  'team-password-needed': {
    heading: 'Enter the password for this team register',
    advice:
      'The one that is kept is for another address, database, user or certificate authority. Enter it under Connections. Nothing was sent.',
  },
  'team-missing': {
    heading: 'There is no team register at this address',
    advice: 'Check the names of database and team. A lead sets it up with “sealdesk-cli team init”.',
  },
  'team-newer': {
    heading: 'The team register was updated for a newer Sealdesk',
    advice: 'Update Sealdesk to send. Until then you can read, and documents wait.',
  },
  'team-older': {
    heading: 'The team register is older than this Sealdesk needs',
    advice: 'A lead updates it with “sealdesk-cli team init”. Documents wait.',
  },
  'team-rights': {
    heading: 'Your user of the team register may not do this',
    advice: 'Ask a lead for the role “member”, or “lead” to decide for others.',
  },
  'team-too-large': {
    heading: 'The team register holds something far too large',
    advice:
      'Its answer was not read, and documents wait. A lead should look for a very long text in the register’s tables.',
  },
  'team-not-a-register': {
    heading: 'What answers there is no team register',
    advice: 'Nothing was sent. Check host and port. Sealdesk signs in with a password only.',
  },
  'team-busy': {
    heading: 'The team register is busy',
    advice:
      'Somebody’s changes there are not finished, it gives out no more connections, or it refuses what is asked. Documents wait. Whoever manages the database can see why, and end such a session.',
  },
  'team-full': {
    heading: 'The team register takes no changes',
    advice: 'Its disk is full, it is a standby, or is set to read only. Tell your IT department; documents wait.',
  },
  'team-restored': {
    heading: 'The team register was restored, or its server changed',
    advice: 'Documents wait until every program has reported again and a lead runs “sealdesk-cli team resume”.',
  },
  'team-other-service': {
    heading: 'The team uses another service',
    advice:
      'Nothing was sent. A team has one service and one account. If it is the same service under another name, join and say so.',
  },
} as const;
