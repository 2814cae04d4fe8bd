import { expect, it } from 'vitest';
import { emailKey, withEmailKeys } from '../../contract/email.ts';
import { checkRecipients } from '../../electron/core/signatures/compose/recipients.ts';

const composed = 'andré@example.com';
const decomposed = 'andre\u0301@example.com';

it('takes addresses for one whatever their case, their spaces and how their letters are composed', () => {
  expect(emailKey(' Ann@Example.COM ')).toBe('ann@example.com');
  expect(emailKey(decomposed)).toBe(emailKey(composed));
  expect(emailKey('ann@example.com')).not.toBe(emailKey('ann@example.org'));
  expect(withEmailKeys('Ann@Example.com;BO@example.com Ann Lee')).toBe('ann@example.com;bo@example.com Ann Lee');
});

it('asks nobody twice, and warns of the account’s own address, however it is typed', () => {
  const people = [composed, decomposed, 'Office@Example.com'].map((email) => ({ email, name: '' }));
  const given = { kind: 'plain', recipients: people, ccEmails: [], ownerSigns: false } as const;
  const problems = checkRecipients(given, { separator: ';', ownerEmail: ' office@example.COM' });
  expect(problems.map(({ kind, index }) => [kind, index])).toEqual([
    ['email-twice', 1],
    ['owner-address', 2],
  ]);
});
