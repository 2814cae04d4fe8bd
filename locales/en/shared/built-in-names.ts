/** Names that the program gives until a person changes them: of the practice connection, the lists and the credits. */
export const builtInNames = {
  practice: 'Practice service',
  lists: { 1: 'Out for signature', 2: 'Signed' },
  creditTypes: { 1: 'Document credits', 2: 'Prepaid credits', 3: 'Subscription' },
} as const;
