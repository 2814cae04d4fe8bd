/**
 * Every way in which something can go wrong, as a closed set: compare by `code`, never by text.
 * The sentence for the person comes from the message catalogue, by `detail` where there is one, else by `code`.
 */
export const failureCodes = [
  /** What was given cannot be used; `fields` says which part and why. */
  'bad-input',
  /** The thing named (connection, document, job, intake) does not exist (any more). */
  'not-found',
  /** The connection has no credentials, or is not complete. */
  'not-connected',
  /** The service said that key or signature are wrong. */
  'credentials-rejected',
  /** The service answered with a negative code or a SOAP fault; `serviceCode` and `raw` hold its own words. */
  'service-refused',
  /** No connection could be made, or it broke before a byte of the request had left. Nothing was sent. */
  'service-unreachable',
  /** The service took longer than the connection allows. Only for reads: a write without an answer is outcome-unknown. */
  'service-timeout',
  /** A write left this computer and no readable answer came back: it may or may not have been carried out. */
  'outcome-unknown',
  /** Something answered, but not a reply of the service: HTML, redirect, other operation, truncated, not XML. */
  'reply-unreadable',
  /** A file cannot be read or used; `detail` says why. */
  'file-unreadable',
  /** A file was changed while it was being read. */
  'file-changed',
  'cancelled',
  'storage-full',
  /** Another program has been writing to the local database for longer than was waited. Nothing was written. */
  'storage-busy',
  /** The local database or a settings file could not be read or written. */
  'storage-unusable',
  /** Anything unexpected. `reference` finds it in the log. */
  'bug',
] as const;

export type FailureCode = (typeof failureCodes)[number];

/** Narrows a code where the advice differs. */
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
  'target-exists',
  'path-too-long',
  'file-special',
  'name-not-resolved',
  'connection-refused',
  'connection-lost',
  'tls-untrusted',
  'tls-failed',
  'proxy-failed',
  'no-connect-in-time',
  'no-progress-in-time',
  'no-answer-in-time',
  'html-page',
  'redirected',
  'http-status',
  'empty-reply',
  /** A success was answered before the request had left. */
  'early-reply',
  'wrong-reply',
  'truncated-reply',
  'not-xml',
  'reply-too-large',
  'soap-fault',
  /** A fault that says that SOAP 1.2 needs its action parameter here: a setting of the connection. */
  'soap-action-missing',
  'negative-code',
  'no-document-in-reply',
  'wsdl-unusable',
  'port-in-use',
  'keychain-unavailable',
  'secret-word-missing',
  'sending-held',
  /** Written by a newer version of the program: this one touches nothing of it. */
  'database-newer',
  /** Pages, texts or the schema of the database do not fit together, or it is none. */
  'database-damaged',
  /** The system does not let the program read the database. */
  'database-unreadable',
  /** It is gone or empty, although requests were sent from this data folder. */
  'database-missing',
  /** The app was ended while it was moving the database and what belongs to it; it goes on when it is started. */
  'database-moving',
] as const;

export type FailureDetail = (typeof failureDetails)[number];

/** What a call answers instead of a value. Plain JSON; never holds a secret. */
export interface Failure {
  readonly code: FailureCode;
  readonly detail?: FailureDetail;
  /** For the log and for support, in English. Never shown as the only text. */
  readonly note: string;
  /** True where doing exactly the same again may succeed and cannot do harm. */
  readonly retryable: boolean;
  /** Per input field (path with dots) what is wrong with it, in English; the window words it anew by field where it can. */
  readonly fields?: Readonly<Record<string, string>>;
  /** The service's own code: a negative number from a string result, or a fault code. */
  readonly serviceCode?: string;
  /** The service's own words, bounded to 2,000 characters. */
  readonly raw?: string;
  /** Finds the matching entry in the log. */
  readonly reference?: string;
}

/** What every call answers; it never rejects. */
export type Envelope<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure };
