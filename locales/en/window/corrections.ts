/** Texts about correcting jobs that the service did not take, and sending them again. */
export const enCorrections = {
  action: 'Correct and send again',
  heading: {
    refused: 'The service refused this',
    failed: 'This was not sent',
    cancelled: 'This was cancelled',
    'in-doubt': 'No answer: the service may have taken this',
  },
  text: 'Correct it and send it. The earlier one is taken off the list.',
  doubtText: 'If you send it, it may be there and be charged twice. Look for it in Activity first.',
  doubtMails: 'It may be charged twice, and everybody may be e-mailed twice.',
  sendDoubt: 'Send it although it may have been taken',
  underWay: 'This request is being sent',
  underWayText: 'It can be corrected if it is refused or cancelled.',
  fileGone: '{{name}} is gone. Choose the file again.',
  chooseFile: 'Choose file…',
  changeFile: 'Choose another file…',
  connectionGone: 'Its connection was removed',
  connectionGoneText: 'It cannot be sent without its connection.',
};
