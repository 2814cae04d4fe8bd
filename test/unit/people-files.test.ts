import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPeople } from '../../electron/core/people/people-calls.ts';
import { readVcards } from '../../electron/core/people/read-vcards.ts';
import { longestTurnMs, processorMs } from '../harness/processor-time.ts';
import { atLength } from '../harness/test-length.ts';

const card = (...lines: string[]) => ['BEGIN:VCARD', ...lines, 'END:VCARD', ''].join('\r\n');

async function read(name: string, content: string | Buffer) {
  const path = join(await mkdtemp(join(tmpdir(), 'people-')), name);
  await writeFile(path, content);
  return await readPeople(path, 'en');
}

describe('a vCard', () => {
  it('of version 3.0 and 4.0 has folded lines, groups, parameters with quotes and escapes', async () => {
    const text =
      card(
        'VERSION:3.0',
        'FN:Ana\\, the',
        '  Great',
        'N:Petrov;Ana;;;',
        'item1.EMAIL;type=INTERNET:ana@exam',
        ' ple.org',
      ) +
      card(
        'VERSION:4.0',
        'FN;LANGUAGE="a:b;c":Bo \\; Lindqvist',
        'EMAIL:home@example.org',
        'EMAIL;PREF=1:work@example.org',
      );
    expect(await readVcards(text)).toEqual({
      people: [
        { line: 6, name: 'Ana, the Great', email: 'ana@example.org' },
        { line: 13, name: 'Bo ; Lindqvist', email: 'work@example.org' },
        { line: 12, name: 'Bo ; Lindqvist', email: 'home@example.org' },
      ],
      problems: [],
    });
  });

  it('of version 2.1 is quoted-printable in its own charset, with soft line ends', async () => {
    const text =
      card(
        'VERSION:2.1',
        'N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=C3=96zt=C3=BCrk;Ay=',
        'la;;;',
        'EMAIL;PREF;INTERNET:ayla@example.org',
      ) + card('FN;CHARSET=ISO-8859-1;QUOTED-PRINTABLE:J=F6rg', 'EMAIL:joerg@example.org');
    expect((await readVcards(text)).people.map(({ name }) => name)).toEqual(['Ayla Öztürk', 'Jörg']);
  });

  it('without an address, without an end, and lines that are none are told by number', async () => {
    const text = `${card('FN:Nobody')}${card('FN:Ana', 'this is nothing', 'EMAIL:ana@example.org')}BEGIN:VCARD\r\nEMAIL:lost@example.org`;
    expect(await readVcards(text)).toEqual({
      people: [{ line: 7, name: 'Ana', email: 'ana@example.org' }],
      problems: [
        { line: 1, reason: 'no-email' },
        { line: 6, reason: 'unreadable' },
        { line: 9, reason: 'unreadable' },
      ],
    });
  });

  it('with a photo of 2.1 is read past it', async () => {
    const photo = Array.from({ length: 2_000 }, () => 'QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo=');
    const text = card('PHOTO;ENCODING=BASE64;TYPE=JPEG:', ...photo, 'EMAIL:ana@example.org');
    expect(await readVcards(text)).toEqual({
      people: [{ line: 2_003, name: '', email: 'ana@example.org' }],
      problems: [],
    });
  });

  it('of a hostile file is read in time: one long line, many cards that never end', async () => {
    const usedMs = await processorMs(async () => {
      await readVcards(
        `BEGIN:VCARD\nFN:${'\\'.repeat(5_000_000)}\nN:${';'.repeat(5_000_000)}\nEMAIL:a@b.cd\nEND:VCARD`,
      );
      await expect(readVcards('BEGIN:VCARD\n'.repeat(300_000))).rejects.toMatchObject({
        failure: { code: 'bad-input' },
      });
      await readVcards(`BEGIN:VCARD\nFN:${'\n x'.repeat(300_000)}\nEND:VCARD`);
    });
    expect(usedMs).toBeLessThan(5_000);
  });
});

const megabytes = atLength({ short: 4, all: 18 });

describe(`vCards of ${megabytes} MB`, () => {
  it.each([
    ['line ends', '\n'],
    ['cards', card('FN:Ana', 'EMAIL:ana@example.org', `NOTE:${'x'.repeat(300)}`)],
    ['folded lines', ' x\n'],
    ['beginnings of a property without an end', 'quoted-printable;base64;'],
  ])('of %s hold the program no longer than a blink', async (_what, piece) => {
    const text = `BEGIN:VCARD\nFN:A\n${piece.repeat((megabytes * 2 ** 20) / piece.length)}`;
    const longest = await longestTurnMs(() => readVcards(text).catch(() => undefined));
    expect(longest).toBeLessThan(300);
  });
});

describe('a file of people', () => {
  const vcard = card('FN:Zoë Núñez', 'EMAIL:zoe@example.org');

  it.each([
    ['UTF-8', Buffer.from(vcard)],
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${vcard}`)],
    ['UTF-16', Buffer.from(`\uFEFF${vcard}`, 'utf16le')],
    ['UTF-16 in the other order', Buffer.from(`\uFEFF${vcard}`, 'utf16le').swap16()],
    ['windows-1252', Buffer.from(vcard, 'latin1')],
  ])('is a vCard in %s', async (_name, bytes) => {
    expect(await read('zoe.vcf', bytes)).toMatchObject({ people: [{ name: 'Zoë Núñez', email: 'zoe@example.org' }] });
  });

  it.each([
    ['with German headings', 'Nachname;Vorname;E-Mail-Adresse\nPetrov;Ana;ana@example.org'],
    ['of Google', 'Name,Given Name,E-mail 1 - Type,E-mail 1 - Value\nAna Petrov,Ana,Work,ana@example.org'],
    ['of Thunderbird', 'First Name,Last Name,Display Name,Primary Email\nAna,Petrov,,ana@example.org'],
    ['without headings', 'Ana Petrov\tana@example.org'],
    ['with an address in brackets', 'E-mail,Name\n"Ana <ana@example.org>",Ana Petrov'],
    [
      'with French headings in UTF-16',
      Buffer.from('\uFEFFPrénom,Nom,Adresse e-mail\nAna,Petrov,ana@example.org', 'utf16le'),
    ],
  ])('is a table %s', async (_name, content) => {
    const { people, problems } = await read('people.csv', content);
    expect(people.map(({ name, email }) => [name, email])).toEqual([['Ana Petrov', 'ana@example.org']]);
    expect(problems).toEqual([]);
  });

  it('has every address of a row, and numbers as the spreadsheet has them', async () => {
    const { people, problems } = await read(
      'people.csv',
      'Name,E-mail Address,E-mail 2 Address\nAna,ana@example.org,ana@example.com\n\nNobody,,\nBo,bo@example.org,',
    );
    expect(people).toEqual([
      { line: 2, name: 'Ana', email: 'ana@example.org' },
      { line: 2, name: 'Ana', email: 'ana@example.com' },
      { line: 5, name: 'Bo', email: 'bo@example.org' },
    ]);
    expect(problems).toEqual([{ line: 4, reason: 'no-email' }]);
  });
});
