/** Notifications of the desktop. */
export const texts = {
  marks: { new: 'New in “{{list}}”', moved: 'Now in “{{list}}”' },
  signed: '{{who}} signed',
  signatures_one: '{{count}} signature received',
  signatures_other: '{{count}} signatures received',
  changed_one: '{{count}} signature request changed',
  changed_other: '{{count}} signature requests changed',
  due: 'Due: your reminder',
  noName: 'Document without a name',
} as const;
