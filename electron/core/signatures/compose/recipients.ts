import type { RecipientProblem, RequestKind } from '../../../../contract/compose.ts';
import { emailKey, isEmail } from '../../../../contract/email.ts';

/* A file without Node: component tests of the form run it in a browser. */

export interface Recipients {
  readonly kind: RequestKind;
  readonly recipients: readonly { readonly email: string; readonly name: string }[];
  readonly ccEmails: readonly string[];
  readonly ownerSigns: boolean;
}

export interface Account {
  /** Separator between addresses and between names. */
  readonly separator: string;
  /** The account's own address; empty if it is not known. */
  readonly ownerEmail: string;
}

const mostEasySigners = 3;

/** Checks recipients as far as possible before the service does. The service may still decide otherwise. */
export function checkRecipients(given: Recipients, { separator, ownerEmail }: Account): RecipientProblem[] {
  const problems: RecipientProblem[] = [];
  const seen = new Map<string, number>();
  const add = (problem: RecipientProblem) => problems.push(problem);
  const checkEmail = (list: RecipientProblem['list'], index: number, given: string) => {
    const email = given.trim();
    const found = (kind: RecipientProblem['kind'], severity: RecipientProblem['severity']) =>
      add({ kind, severity, list, index, part: 'email' });
    if (email === '') return found('email-missing', 'error');
    if (email.includes(separator)) found('separator-inside', 'error');
    else if (!isEmail(email)) found('email-invalid', 'error');
    const key = emailKey(email);
    if (seen.has(key)) found('email-twice', 'error');
    seen.set(key, index);
    // A copy to the owner is harmless; a service may also have changed its rule about owners.
    if (list === 'recipients' && ownerEmail !== '' && key === emailKey(ownerEmail)) found('owner-address', 'warning');
  };
  for (const [index, { email }] of given.recipients.entries()) checkEmail('recipients', index, email);
  if (given.kind !== 'plain') {
    for (const [index, email] of given.ccEmails.entries()) checkEmail('ccEmails', index, email);
    problems.push(...checkNames(given, separator));
  }
  const whole = { list: 'recipients', index: null, part: 'email' } as const;
  if (given.recipients.length === 0 && !given.ownerSigns) add({ kind: 'nobody', severity: 'error', ...whole });
  if (given.kind !== 'plain' && given.recipients.length > mostEasySigners)
    add({ kind: 'too-many-signers', severity: 'warning', ...whole });
  return problems;
}

/**
 * Checks names: they are sent as a separate list in the order of the addresses, so all recipients have a name or none
 * has.
 */
function checkNames({ recipients }: Recipients, separator: string): RecipientProblem[] {
  const someHaveNames = recipients.some(({ name }) => name.trim() !== '');
  return recipients.flatMap(({ name }, index): RecipientProblem[] => {
    const at = { severity: 'error', list: 'recipients', index, part: 'name' } as const;
    if (name.includes(separator)) return [{ kind: 'separator-inside', ...at }];
    return someHaveNames && name.trim() === '' ? [{ kind: 'name-missing', ...at }] : [];
  });
}
