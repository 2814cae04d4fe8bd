/** Texts about correcting jobs that the service did not take, and sending them again. */
export const enCorrections = {
  action: 'Correct and send again',
  actionShort: 'Correct…',
  heading: {
    refused: 'The service refused this',
    failed: 'This was not sent',
    'passed-over': 'This was skipped as a duplicate',
    cancelled: 'This was cancelled',
    'in-doubt': 'No clear answer: the service may have accepted this',
  },
  text: 'Once this is sent, it takes the place of the earlier entry.',
  doubtText: 'The first may have arrived: it may be sent and charged twice. See in Activity first what is known of it.',
  doubtMails: 'It may be charged twice, and everyone may be e-mailed twice.',
  sendDoubt: 'Send although it may already be sent',
  underWay: 'This request is being sent',
  underWayText: 'You can correct it if it is refused or cancelled.',
  fileGone: '{{name}} was not found. Choose the file again.',
  chooseFile: 'Choose file…',
  changeFile: 'Choose another file…',
  connectionGone: 'Its connection was removed',
  connectionGoneText: 'It cannot be sent without its connection.',
};
