/** Texts of the question about already registered documents, before registering. */
export const enDuplicates = {
  checking: 'Looking whether the same bytes are registered already',
  checked: '{{read}} of {{total}} read · {{readBytes}} of {{totalBytes}}',
  stopChecking: 'Do not wait',
  stopped:
    'Not all files were compared. The queue compares each before it is sent and asks you where it finds the same bytes.',
  none: 'None of them is registered already.',
  heading_one: '{{count}} of them is registered already or twice among the files',
  heading_other: '{{count}} of them are registered already or twice among the files',
  list: 'Files with the same bytes',
  all: 'All of them',
  each: 'What to do with {{name}}',
  skip: 'Skip',
  send: 'Send anyway',
  asDocument: 'Registered as “{{title}}”, {{when}}',
  asJob: 'Taken as “{{title}}”, {{when}}: {{state}}',
  sameAs: 'The same bytes as another file of these',
  open: 'Open',
  openWhat: 'Open {{title}}',
  nothingLeft: 'All of them are skipped: there is nothing to register.',
  skipped_one: '{{count}} file is skipped: nothing is sent for it.',
  skipped_other: '{{count}} files are skipped: nothing is sent for them.',
} as const;
