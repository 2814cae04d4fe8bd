/** What a PDF itself proves, in a few words: in the window, on the command line and in reports. */
export const fileVerdicts = {
  unchanged: 'Signed and unchanged since',
  'only-additions-allowed': 'Signed; only allowed additions since',
  changed: 'Changed after signing',
  broken: 'Signature does not fit',
  undecidable: 'Signature cannot be judged',
  unsigned: 'Not signed',
} as const;
