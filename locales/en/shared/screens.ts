/** Names of the screens, in the window and in the desktop's menu. */
export const screens = {
  signatures: 'Signatures',
  compose: 'Request signatures',
  bulk: 'Bulk send',
  answers: 'Answers',
  notes: 'Notes',
  start: 'Start',
  jobs: 'Activity',
  documents: 'Documents',
  register: 'Register',
  verify: 'Verify',
  connections: 'Connections',
  settings: 'Settings',
} as const;
