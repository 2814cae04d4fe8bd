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
