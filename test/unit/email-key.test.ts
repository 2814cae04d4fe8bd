import { expect, it } from 'vitest';
import { emailKey, peopleKey } from '../../contract/email.ts';
import { checkRecipients } from '../../electron/core/signatures/compose/recipients.ts';

const composed = 'andré@example.com';
const decomposed = 'andre\u0301@example.com';

it('takes addresses for one whatever their case, their spaces and how their letters are composed', () => {
  expect(emailKey(' Ann@Example.COM ')).toBe('ann@example.com');
  expect(emailKey(decomposed)).toBe(emailKey(composed));
  expect(emailKey('ann@example.com')).not.toBe(emailKey('ann@example.org'));
});

it('takes people for the same in any order, whatever they are called and whatever separates them', () => {
  const key = 'ann@example.com bo@example.com';
  for (const separator of [';', ', ', '|', ' - ', '#', '\t'])
    expect(peopleKey(['BO@example.com', 'Ann@Example.com', 'bo@example.com.'].join(separator))).toBe(key);
  expect(peopleKey('bo@example.com ann@example.com Bo Roe Ann Lee')).toBe(key);
  expect(peopleKey("o'neil+x@example.com")).toBe("o'neil+x@example.com");
});

it.each([...'!#$%&*/=?^`{|}~'])('keeps people apart whose addresses differ by what stands before %s', (sign) => {
  const [whole, end] = [`sales${sign}legal@example.com`, 'legal@example.com'];
  expect(peopleKey(whole)).toBe(whole);
  expect(peopleKey(`${end};${whole}`)).toBe(`${end} ${whole}`);
});

it.each([
  ['ann@bücher.example', 'Ann@XN--BCHER-KVA.example'],
  ['ann@bu\u0308cher.example', 'ann@xn--bcher-kva.example'],
  ['ann@ex.example', 'ann@\uFF45x.example'],
  ['ann@ex.example', 'ann@ex\u3002example'],
  ['ann@ex.example', 'ann@ex.example.'],
  ['ann@straße.example', 'ann@xn--strae-oqa.example'],
])('takes %s and %s for one, alone and in a text, and asks them once', (one, other) => {
  expect(emailKey(one)).toBe(emailKey(other));
  expect(peopleKey(`bo@a.example;${one}|Ann, x`)).toBe(peopleKey(`bo@a.example;${other}|Ann, x`));
  const recipients = [one, other].map((email) => ({ email, name: '' }));
  const problems = checkRecipients(
    { kind: 'plain', recipients, ccEmails: [], ownerSigns: false },
    { separator: ';', ownerEmail: '' },
  );
  expect(problems.map(({ kind }) => kind)).toContain('email-twice');
});

it.each([
  ['ann@straße.example', 'ann@strasse.example'],
  ['ann@1.2', 'ann@1.0.0.2'],
  ['ann@xn--zzzzzz.example', 'ann@zzzzzz.example'],
])('takes %s and %s for two', (one, other) => {
  expect(emailKey(one)).not.toBe(emailKey(other));
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

// Of a register of a team, each text may be somebody's who wants to keep a program busy: 500 of them come at once.
it.each([
  ['one word without an address', '\u{1F600}'.repeat(50_000)],
  ['at signs alone', '@'.repeat(50_000)],
  ['marks out of order on one letter', `a@b${'\u0323\u0301'.repeat(25_000)}`],
  ['international domains', Array.from({ length: 10_000 }, (_each, at) => `a@ä${at}.example`).join(';')],
  ['spaces', `${' '.repeat(50_000)}x`],
])('takes no more time for %s than for others of its length', (_what, text) => {
  const before = performance.now();
  peopleKey(text);
  emailKey(text);
  // Some ms; by the square of the length it was seconds.
  expect(performance.now() - before).toBeLessThan(500);
});
