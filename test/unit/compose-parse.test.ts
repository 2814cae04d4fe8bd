import { describe, expect, it } from 'vitest';
import { isEmail } from '../../contract/email.ts';
import { checkXml } from '../../electron/core/signatures/compose/compose-calls.ts';
import { parsePeople } from '../../electron/core/signatures/compose/parse-people.ts';
import { checkRecipients } from '../../electron/core/signatures/compose/recipients.ts';

const people = (text: string) => parsePeople(text).people.map(({ name, email }) => [name, email]);

describe('people out of a mail header', () => {
  it.each([
    ['Ayla <ayla@example.com>', [['Ayla', 'ayla@example.com']]],
    [
      'Ayla Öztürk <ayla@example.com>; "Okafor, Chidi" <chidi@example.com>',
      [
        ['Ayla Öztürk', 'ayla@example.com'],
        ['Okafor, Chidi', 'chidi@example.com'],
      ],
    ],
    [
      'Okafor, Chidi <chidi@example.com>, dana@example.com',
      [
        ['Okafor, Chidi', 'chidi@example.com'],
        ['', 'dana@example.com'],
      ],
    ],
    ['To: "A \\"the boss\\" B" <a@example.com>', [['A "the boss" B', 'a@example.com']]],
    ['mailto:erik@example.com', [['', 'erik@example.com']]],
    ['Ayla (ayla@example.com)', [['Ayla', 'ayla@example.com']]],
    [
      'a@example.com\r\nb@example.com\n\nc@example.com',
      [
        ['', 'a@example.com'],
        ['', 'b@example.com'],
        ['', 'c@example.com'],
      ],
    ],
    [
      'a@example.com;b@example.com',
      [
        ['', 'a@example.com'],
        ['', 'b@example.com'],
      ],
    ],
  ])('%j', (text, wanted) => {
    expect(people(text)).toEqual(wanted);
  });

  it('says what holds no address instead of guessing', () => {
    expect(parsePeople('Ayla <ayla@example.com>, Chidi without, <broken@>')).toMatchObject({
      people: [{ email: 'ayla@example.com' }],
      leftOver: [{ line: 1, text: 'Chidi without, <broken@>' }],
    });
  });
});

describe('people out of a spreadsheet', () => {
  it.each([
    ['Name\tE-mail\nAyla\tayla@example.com\nChidi\tchidi@example.com', 2],
    ['ayla@example.com\tAyla\nchidi@example.com\tChidi', 2],
    ['Vorname;Nachname;E-Mail\nAyla;Öztürk;ayla@example.com', 1],
    ['"Öztürk, Ayla",ayla@example.com\n"Okafor, Chidi",chidi@example.com', 2],
  ])('%j', (text, count) => {
    const parsed = parsePeople(text);
    expect(parsed).toMatchObject({ form: 'table', leftOver: [] });
    expect(parsed.people).toHaveLength(count);
    expect(parsed.people.every(({ name }) => name !== '')).toBe(true);
  });

  it('takes first and last name together, and tells rows without an address', () => {
    expect(people('First name\tLast name\tMail\nAyla\tÖztürk\ta@example.com')).toEqual([
      ['Ayla Öztürk', 'a@example.com'],
    ]);
    expect(parsePeople('Ayla\ta@example.com\nNobody\tnothing')).toMatchObject({
      people: [{ line: 1 }],
      leftOver: [{ line: 2, text: 'Nobody nothing' }],
    });
  });
});

/** Small and repeatable. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}

const pieces = [
  'a@example.com',
  '<',
  '>',
  '"',
  '\\',
  ',',
  ';',
  '\t',
  '\n',
  '\r\n',
  ' ',
  'Ayla',
  'Öz',
  '😀',
  '\ud800',
  '@',
  '.',
  '=1+1',
  '\0',
  '(',
  ')',
  'E-mail',
  'x'.repeat(300),
];
const noise = (seed: number) => {
  const next = random(seed);
  return Array.from({ length: Math.floor(next() * 60) }, () => pieces[Math.floor(next() * pieces.length)]).join('');
};

describe('whatever is pasted', () => {
  it('never fails, and only real addresses come out', () => {
    for (let seed = 1; seed <= 3_000; seed += 1) {
      const parsed = parsePeople(noise(seed));
      for (const { email, name } of parsed.people) {
        expect(isEmail(email), `seed ${seed}`).toBe(true);
        expect(/[\u0000-\u001f]/.test(name), `seed ${seed}`).toBe(false);
        expect(name.length).toBeLessThanOrEqual(200);
      }
    }
  });

  it('loses nobody who was written in a usual way', () => {
    for (let seed = 1; seed <= 300; seed += 1) {
      const next = random(seed);
      const wanted = Array.from({ length: 1 + Math.floor(next() * 9) }, (_each, n) => `p${n}.${seed}@example.com`);
      const ways = [
        (e: string) => e,
        (e: string) => `<${e}>`,
        (e: string) => `"Last, First" <${e}>`,
        (e: string) => `Some One <${e}>`,
      ];
      const text = wanted
        .map((email) => ways[Math.floor(next() * ways.length)]?.(email))
        .join(next() < 0.5 ? ', ' : ';\n');
      expect(
        parsePeople(text).people.map(({ email }) => email),
        text,
      ).toEqual(wanted);
    }
  });

  it('is done in time, also where it was made to take long', () => {
    const started = performance.now();
    for (const part of ['"', '<', 'a,', '<a@', 'a@b.', '\\"', '(', 'a;a@b.cc\n'])
      parsePeople(part.repeat(Math.floor(200_000 / part.length)));
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});

describe('addresses', () => {
  it.each([
    'a@example.com',
    "o'neil+x@sub.example.co",
    'ü@example.com',
    'a@münchen.example',
    // As macOS gives it, and letters that are always written with marks.
    'a@mu\u0308nchen.example',
    'a@हिन्दी.example',
  ])('%s is one', (text) => {
    expect(isEmail(text)).toBe(true);
  });
  it.each([
    '',
    'a',
    'a@b',
    '@example.com',
    'a@',
    'a b@example.com',
    'a@exa mple.com',
    '.a@example.com',
    'a..b@example.com',
    'a@-x.com',
    'a@x..com',
    'a;b@example.com',
    `${'a'.repeat(65)}@example.com`,
    // Something that nobody sees.
    'a\u200Bb@example.com',
  ])('%s is none', (text) => {
    expect(isEmail(text)).toBe(false);
  });

  it('are checked for the owner, for twice, for the separator and for names', () => {
    const given = {
      kind: 'easy-sign',
      recipients: [
        { email: 'Owner@example.com', name: 'O' },
        { email: 'b@example.com', name: '' },
        { email: 'b|c@example.com', name: 'x|y' },
      ],
      ccEmails: ['b@example.com'],
      ownerSigns: false,
    } as const;
    const found = checkRecipients(given, { separator: '|', ownerEmail: 'owner@EXAMPLE.com' });
    expect(found.map(({ kind, severity, list, index }) => `${severity} ${kind} ${list} ${index}`)).toEqual([
      'warning owner-address recipients 0',
      'error separator-inside recipients 2',
      'error email-twice ccEmails 0',
      'error name-missing recipients 1',
      'error separator-inside recipients 2',
    ]);
  });
});

describe('XML data', () => {
  it.each([
    ['<a><b/></a>', { ok: true, rootElement: 'a', elementCount: 2 }],
    ['<?xml version="1.0"?><x:a xmlns:x="u">&amp;&#65;</x:a>', { ok: true, rootElement: 'x:a' }],
    ['  \n', { ok: false, reason: 'empty' }],
    ['<a>\n  <b></c>\n</a>', { ok: false, reason: 'not-well-formed', line: 2 }],
    ['<!DOCTYPE a [<!ENTITY e "x">]><a>&e;</a>', { ok: false, reason: 'doctype' }],
    ['<a>\n&nbsp;</a>', { ok: false, reason: 'entity', line: 2, column: 1 }],
    ['<a>', { ok: false, reason: 'not-well-formed' }],
    ['<a/><b/>', { ok: false, reason: 'not-well-formed' }],
    ['text', { ok: false, reason: 'not-well-formed', line: 1 }],
    ['<a>'.repeat(300), { ok: false, reason: 'too-deep' }],
  ])('%j', (text, wanted) => {
    expect(checkXml(text)).toMatchObject(wanted);
  });

  it('never fails on noise', () => {
    for (let seed = 1; seed <= 1_000; seed += 1) expect(typeof checkXml(`<a>${noise(seed)}</a>`).ok).toBe('boolean');
  });
});
