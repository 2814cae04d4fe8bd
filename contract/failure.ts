/**
 * Every kind of failure, as a closed set: compare `code`, never text. The sentence for the person comes from the catalogue, by `detail` if there is
 * one, else by `code`.
 */
export const failureCodes = [
  /** The input cannot be used; `fields` says which part and why. */
  'bad-input',
  /** The named object (connection, document, job, intake) does not exist (any more). */
  'not-found',
  /** The connection has no credentials, or is incomplete. */
  'not-connected',
  /** The service said that the key or the signature is wrong. */
  'credentials-rejected',
  /** The service answered with a negative code or a SOAP fault; `serviceCode` and `raw` hold its answer. */
  'service-refused',
  /** No connection could be made, or it broke before the first byte of the request was sent, or before the end of a file that is sent while it is copied. No service has a request. */
  'service-unreachable',
  /** The service took longer than the connection allows. Only for reads: a write without an answer is outcome-unknown. */
  'service-timeout',
  /** A write was sent and no readable answer came back: it may or may not have been carried out. */
  'outcome-unknown',
  /** The answer is not a reply of the service: HTML, redirect, other operation, truncated, not XML. */
  'reply-unreadable',
  /** A file cannot be read or used; `detail` says why. */
  'file-unreadable',
  /** A file changed while it was being read. */
  'file-changed',
  'cancelled',
  'storage-full',
  /** Another program wrote to the local database for longer than the waiting time. Nothing was written. */
  'storage-busy',
  /** The local database or a settings file could not be read or written. */
  'storage-unusable',
  /** Anything unexpected. `reference` identifies it in the log. */
  'bug',
] as const;

export type FailureCode = (typeof failureCodes)[number];

/** What stands before a service says so where there is no service behind it, or too many ask it. */
const awayStatuses: readonly (string | undefined)[] = ['429', '502', '503', '504'];
/** So does the page of a portal that wants to be read first. */
const awayDetails: readonly (string | undefined)[] = ['html-page', 'redirected'];

/** True where the service did not get to the question: other questions would end the same way, and it may be back later. */
export const isServiceAway = ({ code, detail, serviceCode }: Failure): boolean =>
  code === 'service-unreachable' ||
  code === 'service-timeout' ||
  awayDetails.includes(detail) ||
  (detail === 'http-status' && awayStatuses.includes(serviceCode));

/** True where this computer's own disk or database is the reason, not the service or what was asked. */
export const isOfStorage = ({ code }: { readonly code: FailureCode }): boolean => code.startsWith('storage-');

/** Refines a code if the advice differs. */
export const failureDetails = [
  'file-missing',
  'file-denied',
  'file-locked',
  'file-empty',
  'file-is-folder',
  'file-not-pdf',
  'file-encrypted',
  'target-not-writable',
  /** The drive of the file, or of the program's own data, reported an error. */
  'drive-error',
  'too-many-open-files',
  /** The program may not write into its own data folder, or the folder is read-only. */
  'data-folder-denied',
  /** What was entered has not the form of a document ID. */
  'id-unusable',
  /** Another document has the ID: `knownAs` is its name here. */
  'id-taken',
  'target-exists',
  /** The address of the connection is not that with which the work began. */
  'service-changed',
  'path-too-long',
  'file-special',
  /** The program's own copy of the file is not any more what was copied. */
  'copy-changed',
  /** The name is no UTF-8, or another one looks the same once it was read as that. */
  'file-name',
  /** What is to be read as a spreadsheet is none, or it is damaged. */
  'table-unreadable',
  /** A workbook of Excel before 2007, or one with a password: both look the same. */
  'table-old',
  'table-too-large',
  'table-rows',
  'table-columns',
  /** Only headings. */
  'table-empty',
  /** A quotation mark in the CSV has no other half, or stands inside a cell: `row` says where. */
  'table-quote',
  'name-not-resolved',
  'connection-refused',
  'connection-lost',
  'tls-untrusted',
  'tls-failed',
  /** The certificate of the service, or the clock of this computer, is out of date. */
  'tls-expired',
  /** The service asks for a client certificate, and the connection has none. */
  'client-certificate-needed',
  'client-certificate-refused',
  'client-certificate-expired',
  /** No connection to the proxy, or it broke. */
  'proxy-failed',
  /** The proxy answered that it does not lead there. */
  'proxy-refused',
  'proxy-login-needed',
  'proxy-login-refused',
  /** The proxy wants another sign-in than user and password (NTLM, Negotiate). */
  'proxy-login-unsupported',
  'no-connect-in-time',
  'no-progress-in-time',
  'reply-too-slow',
  'no-answer-in-time',
  'html-page',
  'redirected',
  'http-status',
  'empty-reply',
  /** A success was answered before the request was completely sent. */
  'early-reply',
  /** An add was answered with a text that is neither an ID nor an address. */
  'unclear-answer',
  'wrong-reply',
  'truncated-reply',
  'not-xml',
  'reply-too-large',
  'soap-fault',
  /** A fault saying that SOAP 1.2 needs its action parameter on this server, which is a setting of the connection. */
  'soap-action-missing',
  'negative-code',
  'no-document-in-reply',
  'wsdl-unusable',
  'port-in-use',
  'keychain-unavailable',
  'secret-word-missing',
  'sending-held',
  /** Written by a newer version of the program: this version changes nothing. */
  'database-newer',
  /** Pages, texts or the schema of the database are inconsistent, or the file is no database. */
  'database-damaged',
  /** The system does not let the program read the database. */
  'database-unreadable',
  /** The database is gone or empty, although requests were sent from this data folder. */
  'database-missing',
  /** The app ended while it was moving the database and its files; it continues at the next start. */
  'database-moving',
  /** The organisation's policy sets it, or forbids it. */
  'managed',
  /** The organisation's policy cannot be used; until it can, nothing that it may lock is allowed. */
  'policy-broken',
  /** The team register's computer or database does not answer. */
  'team-away',
  /** User or password is wrong, or the server does not let this computer in. */
  'team-login-refused',
  /** The certificate of the team register is not trusted, or is for another name. */
  'team-certificate',
  /** The server offers no encryption, and is not on this computer. */
  'team-not-encrypted',
  /** The database, unencrypted on this computer, asks for the password in a form that whoever listens there could use. */
  'team-weak-login',
  /** The password that is kept was entered for another register. */
  'team-password-needed',
  /** The database, or the team in it, does not exist or was not set up. */
  'team-missing',
  /** The schema is newer: this program reads, but does not send. */
  'team-newer',
  /** The schema is older than this program needs: a lead must update it. */
  'team-older',
  /** The database user may not do this. */
  'team-rights',
  /** The database answered with more than any program of ours writes: nothing of it was read. */
  'team-too-large',
  /** What answers there speaks otherwise than a database that this program can use. */
  'team-not-a-register',
  /** The database answers, but no row was to be had in time because of somebody's lock, or it gives out no more connections. */
  'team-busy',
  /** The database takes no changes: its disk is full, or it is a standby. */
  'team-full',
  /** The database was restored to an earlier state: a lead must let the team go on. */
  'team-restored',
  'team-other-service',
] as const;

export type FailureDetail = (typeof failureDetails)[number];

/** A call's answer in place of a value. Plain JSON; never holds a secret. */
export interface Failure {
  readonly code: FailureCode;
  readonly detail?: FailureDetail;
  /** For the log and for support, in English. Never shown as the only text. */
  readonly note: string;
  /** True if the same call may succeed later and repeating it cannot do harm. */
  readonly retryable: boolean;
  /** The problem of each input field (dotted path), in English; the window has its own texts for known fields. */
  readonly fields?: Readonly<Record<string, string>>;
  /** The row of the spreadsheet that cannot be read; the first is 1. */
  readonly row?: number;
  /** Of `id-taken`: the document that has it. */
  readonly knownAs?: string;
  /** Of `team-busy`: the login that keeps locked what was wanted. */
  readonly heldBy?: string;
  /** The service's own code: a negative number from a string result, or a fault code. */
  readonly serviceCode?: string;
  /** The service's answer, cut to 2,000 characters. */
  readonly raw?: string;
  /** Identifies the entry in the log. */
  readonly reference?: string;
}

/** The answer of every call; calls never reject. */
export type Envelope<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure };

/** Reasons in `Failure.fields` for which window and command line have sentences of their own. Other reasons are shown as they are. */
export const fieldReasons = { isTaken: 'is taken', notEncrypted: 'is not encrypted' } as const;

/** The same for a client certificate that cannot be used. */
export const certificateReasons = {
  noKey: 'has no private key',
  noCertificate: 'has no certificate',
  otherKey: 'has a key that is not for its certificate',
  old: 'is encrypted in an old way',
  tooManyRounds: 'is encrypted with too many rounds',
} as const;
