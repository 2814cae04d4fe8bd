/** What is wrong with a row of a spreadsheet, or to be noticed before it is sent. */
export const bulkProblemsEn = {
  nobody: 'no signer',
  'email-invalid': 'not a valid e-mail address',
  'email-twice': 'the same address twice',
  'owner-address': 'your account’s own address',
  'separator-inside': 'contains the separator',
  'name-missing': 'a name is missing',
  'file-none': 'no file',
  'file-missing': 'file not among the chosen ones',
  'file-unusable': 'file cannot be used',
  'template-none': 'no template',
  'cell-too-long': 'too long',
  'cell-unusable': 'contains characters that cannot be sent',
  'same-template': 'Same people and template as row {{row}}',
  'same-file': 'Same people and file as row {{row}}',
  'already-sent': 'Already sent to the same people: {{time}}',
} as const;
