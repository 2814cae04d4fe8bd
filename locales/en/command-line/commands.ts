/** What each command does, with remarks and what its examples show. */
export const commands = {
  requestCosts: '{{summary}} Each request costs credits and mails its signers.',
  version: {
    summary: "Prints the version of the service's API (GetVersion).",
    practice: 'of the practice service',
    service: 'of a service',
  },
  schedule: { summary: "Prints the service's schedule (GetSchedule).", json: 'as a JSON object' },
  token: {
    summary: 'Prints an authentication token (GetAuthToken). It is a secret: mind where the output goes.',
    saved: 'with the credentials of a saved connection',
  },
  register: {
    summary: 'Registers PDF documents (AddNewDocument): files, and folders with all below them. Each costs one credit.',
    remarks:
      '--name, --description and --client-id may hold {name} (file name without its ending), {file}, {folder} and {n} (1, 2, 3 …). Files in folders that are no PDF are passed over. A file whose bytes were sent over this connection before is passed over; with --send-duplicates it is sent again, with a remark. One whose bytes are in doubt ends with exit code 3 until the doubt is decided.',
    one: 'one document on the practice service',
    folder: 'a folder on a saved connection, as JSON lines',
  },
  requestSignatures: {
    summary: 'Registers a PDF and asks people to sign it (AddNewDocumentESign).',
    two: 'two signers',
    ownerFirst: 'you sign first',
  },
  easySign: {
    summary: 'Makes an Easy Sign document from a PDF (AddNewEasySignDocument).',
    copy: 'a signer and a copy',
    xml: 'with XML data and an image',
  },
  easySignTemplate: {
    summary: "Makes an Easy Sign document from a template of the service's library (AddNewEasySignTemplate).",
    mail: 'with a mail of your own',
  },
  status: {
    summary: 'Prints the processing status of a document (GetDocumentStatus).',
    saved: 'of a document on a saved connection',
  },
  details: {
    summary: 'Prints the details record of your document (GetDocumentDetails).',
    json: 'as a JSON object',
  },
  download: {
    summary: 'Fetches a document that you own or that is shared with you (GetDocument).',
    here: 'into this folder, named after its ID',
    file: 'into a file of your choice',
    replace: 'also where there is one already',
  },
  requests: {
    summary: 'Lists signature requests (GetESignList). Secret words are left out.',
    out: 'what is out for signature',
    newest: 'the newest first',
    signed: 'what is signed, as a JSON object',
  },
  note: {
    summary: 'Creates a quick note (AddQuickNote). It may cost a credit.',
    description: 'a note with a description',
  },
  jobs: {
    summary: 'Shows what waits, is in doubt or asks for a decision in the ledger of a connection, and settles it.',
    actions: `list               what has not ended well: waiting, in doubt, asking, refused,
                   failed (--state for others)
resume JOB…        ends their pauses, takes over what programs that are over
                   have left, sends it and waits for the end. Also with --all;
                   --batch BATCH ends the pause of a batch, --queue that of
                   everything
cancel JOB…        cancels what has not begun to leave. Also with --all
decide JOB…        with --send or --skip: about duplicates that wait for a
                   decision; what a colleague has is sent only by its JOB
look JOB           asks the service what became of a job in doubt, of a
                   registration whether it knows the file (may cost); with
                   a DOCUMENT-ID after the job, whether that document is it.
                   Only reads
accept JOB DOCUMENT-ID
                   settles a job in doubt: this document is what became of it,
                   unless the service, which is asked about it, contradicts.
                   Without an ID where look found that the service knows its
                   file; the ID can be given later, by the same action. A note
                   has none: it is settled by your word
send-again JOB…    sends once more what was refused, failed or cancelled; a job
                   in doubt only with --yes-send-again
dismiss JOB…       takes what has ended off the list; the register keeps the
                   documents. Also with --all`,
    others:
      'Jobs that another program works on are left to it. A job in doubt is left alone until one of these is done with it.',
    open: 'what is open',
    left: 'sends what a program that was killed has left',
    lost: 'whether a lost add has arrived',
  },
  verify: {
    summary:
      'Asks the service whether files are what was registered (ValidateDocument): files, and folders with all below.',
    ends: 'Ends with 0 only if every file is confirmed.',
    audit:
      'With --audit the folder is remembered with all answers: the next time only what is new or altered is asked about, and only what changed or is not confirmed is told.',
    one: 'one file',
    folder: 'a folder, as JSON lines',
    changed: 'what changed in it since the last time',
  },
  practice: {
    summary: 'Runs the practice service in the foreground until Ctrl-C, for trying out this or any other client.',
    credentials: 'Its credentials are made at each start, work nowhere else, and are therefore printed.',
    same: 'the same address and data every time',
    lose: 'loses the answer to one document',
  },
  doctor: {
    summary: 'Examines a connection step by step: name, network, proxy, TLS, SOAP, credentials, Easy Sign.',
    json: 'With --json there is one object a step: answer.group is passed, failed, unclear or not-tried, answer.meaning the step;',
    details: 'details.proposal says what to do, details.elements which element names are in question.',
    unclear:
      'A step is unclear where the service answered without showing whether a setting is right. It does not change the exit code.',
    saved: 'a saved connection',
  },
  pdfSignatures: {
    summary: 'What the signatures in PDFs prove about the files themselves.',
    asksNobody: 'Asks no service, needs no connection and no network, and writes no file.',
    known:
      'Who is known comes from the certificates and the trust list that the organisation’s policy names, or from the options. What is revoked is only known if the file says it.',
    ends: 'Exit code 0 if every file was answered, whatever the answer; another one only where a file cannot be opened.',
    one: 'one file, for a person',
    json: 'one JSON object per file',
  },
  trustList: {
    summary:
      'Reduces trust lists (ETSI TS 119 612, as each country of the EU publishes its own) to a file for the policy trustList.',
    unsigned:
      'Qualified services for signatures, seals and timestamps are kept, with when they were granted. The signature of a list is not checked: fetch lists over https from the addresses that the EU names.',
    policy: 'Nothing is written unless every list can be read.',
    two: 'two lists in one file',
  },
  policy: {
    summary: "The organisation's policy: what it sets, what it recommends, and what of it cannot be used.",
    file: 'With FILE, that file is checked, and nothing of it takes effect: for whoever writes a policy.',
    check: 'exit code 1 if there are errors',
  },
  team: {
    summary:
      'The register that a team shares, on PostgreSQL: ACTION is init, status, doctor, invite, join, leave or resume.',
    password:
      'The password is read from SEALDESK_TEAM_PASSWORD; doctor and join ask for it on a terminal. join keeps it in the keychain.',
    plan: 'prints the statements, changes nothing',
    carryOut: 'carries them out',
    status: 'what is there, and what the user may do',
    resume: 'after a restore: lets the team send again',
    doctor: 'each check on a line; exit code 0 if documents can be sent',
    join: 'from here on each document is claimed first',
    leave: 'a copy of what colleagues registered stays; with --yes also if outcomes are not reported yet',
    invite: 'what a second person needs, without any secret',
    letIn: 'makes the login as well, without a password',
    joinInvited: 'with what the invitation tells',
  },
  support: {
    summary: 'Makes a report for support: versions, settings, a check of the connection, counts and the log.',
    holds: 'No secrets, contents, paths or names of people. Read the files before you send them.',
    here: 'a zip file in this folder',
    folder: 'text files in the new folder report',
  },
} as const;
