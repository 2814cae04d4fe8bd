/** Settings in the templates for administrators (scripts/make-policies.ts). */
export const texts = {
  category: 'Sealdesk',
  recommended: 'Recommended (people can change these)',
  supported: 'Sealdesk',
  explain: 'Enabled: the value holds and people cannot change it.',
  explainRecommended: 'Enabled: the value holds until a person chooses another one.',
  settings: {
    theme: { name: 'Theme', help: 'Colours of the window.' },
    language: { name: 'Language', help: 'Language of window, menus and notifications.' },
    notifications: { name: 'Notifications', help: 'Desktop notifications about signature requests and due dates.' },
    tray: { name: 'Tray icon', help: 'Shows an icon in the system’s tray.' },
    closeToTray: {
      name: 'Keep running without a window',
      help: 'The program runs on when its window is closed, while its tray icon is shown.',
    },
    atOnce: { name: 'Files at once', help: 'Files that are sent or verified at the same time, over all connections.' },
    requestWait: {
      name: 'Seconds to take requests back',
      help: 'Seconds in which signature requests and notes can be taken back before they are sent.',
    },
    registerWait: {
      name: 'Seconds to take registrations back',
      help: 'Seconds in which registrations can be taken back before they are sent.',
    },
    callsPerHour: {
      name: 'Automatic calls per hour',
      help: 'Most calls to services that the program makes by itself within an hour.',
    },
    automaticCalls: {
      name: 'Automatic refresh',
      help: 'Whether the program asks services by itself for the state of signature requests.',
    },
    connections: {
      name: 'Connections',
      help: 'Connections that everybody gets, as a JSON list. What a connection names is locked; credentials cannot be in it.',
    },
    ownConnections: {
      name: 'Own connections',
      help: 'Whether people may add connections, and use those that no policy provides.',
    },
    proxy: {
      name: 'Proxy',
      help: 'Proxy of all connections: system, none, or an address such as http://proxy.example:3128.',
    },
    extraCa: {
      name: 'Extra certificate authorities',
      help: 'Certificates in PEM that all connections trust besides the system’s.',
    },
    parallel: { name: 'Uploads per connection', help: 'Uploads at the same time over each connection.' },
    verifyPerMinute: {
      name: 'Verifications per minute',
      help: 'Most calls per minute for verifying files, for each connection.',
    },
    updates: {
      name: 'Automatic updates',
      help: 'Whether the program may update itself. It never does without a feed and a key.',
    },
    updateFeed: { name: 'Update feed', help: 'Address of the folder with updates: https, or http on this computer.' },
    updateKey: {
      name: 'Update keys',
      help: 'Public Ed25519 keys (base64, DER), separated by spaces, one of which must have signed the feed.',
    },
    updatePublisher: {
      name: 'Update publisher',
      help: 'Windows: name in the certificate of the installer’s signature.',
    },
    requestWaitAtLeast: {
      name: 'Least seconds to take requests back',
      help: 'The least that people can choose for requests and notes.',
    },
    registerWaitAtLeast: {
      name: 'Least seconds to take registrations back',
      help: 'The least that people can choose for registrations.',
    },
    trustedCertificates: {
      name: 'Known certificates',
      help: 'Folder with the certificates (.cer, .crt, .der, .pem) of authorities and signers that are known to the organisation.',
    },
    trustList: { name: 'Trust list', help: 'File with trust lists, as sealdesk-cli trust-list writes it.' },
    exportLists: {
      name: 'Export lists',
      help: 'Whether people may save lists: requests, results of bulk sends, registered documents, address book, answers, templates.',
    },
    exportReports: { name: 'Export verification reports', help: 'Whether people may save reports of verifications.' },
    exportReceipts: { name: 'Export receipts', help: 'Whether people may save receipts.' },
    exportDiagnostics: {
      name: 'Export diagnostics',
      help: 'Whether people may save the diagnostics report for support.',
    },
    saveDocuments: { name: 'Save documents', help: 'Whether people may download documents into files.' },
  },
} as const;
