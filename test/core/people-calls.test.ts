import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { peopleLimits } from '../../contract/people.ts';
import type { RunningCore } from '../harness/core.ts';
import { newCore, newFolder } from './jobs-setup.ts';

async function ready() {
  const folder = await newFolder();
  const core = await newCore({ dataDir: await newFolder(), pauses: { undoMs: 60_000 } });
  const importText = async (name: string, content: string | Buffer) => {
    await writeFile(join(folder, name), content);
    const { token } = await core.core.acceptPath(join(folder, name));
    return await core.ask('people.import', { token });
  };
  return { core, folder, importText };
}

const namesOf = async (core: RunningCore, search = '') =>
  (await core.must('people.list', { search, limit: 500 })).people.map(({ name, email }) => `${name} <${email}>`);

describe('the address book', () => {
  it('keeps people who are entered, and refuses an address that another one has', async () => {
    const { core } = await ready();
    await core.must('people.save', { email: 'ana@example.org', name: 'Ana Petrov' });
    await core.must('people.save', { email: 'bo@example.org' });
    expect(await core.ask('people.save', { email: 'ANA@example.org', name: 'Other' })).toMatchObject({
      ok: false,
      failure: { code: 'bad-input', fields: { email: expect.any(String) } },
    });
    expect(await core.ask('people.save', { email: 'no address' })).toMatchObject({ failure: { code: 'bad-input' } });
    await core.must('people.save', { was: 'bo@example.org', email: 'bo@example.com', name: 'Bo Lindqvist' });
    expect(await core.ask('people.save', { was: 'bo@example.org', email: 'bo@example.net' })).toMatchObject({
      failure: { code: 'not-found' },
    });
    expect(await namesOf(core)).toEqual(['Ana Petrov <ana@example.org>', 'Bo Lindqvist <bo@example.com>']);
    expect(await namesOf(core, 'lind')).toEqual(['Bo Lindqvist <bo@example.com>']);
    expect(await namesOf(core, 'bo@example.org')).toEqual([]);
    const all = await core.must('people.list', {});
    const bo = await core.must('people.remove', { email: 'BO@Example.com' });
    // Gets the row number that is free now.
    await core.must('people.save', { email: 'mei@example.org' });
    await core.must('removals.putBack', bo);
    const everybody = await core.must('people.clear', {});
    expect(everybody.removed).toBe(3);
    expect(await namesOf(core)).toEqual([]);
    await core.must('removals.putBack', { removal: everybody.removal });
    expect(await namesOf(core, 'petr')).toHaveLength(1);
    await core.must('people.remove', { email: 'mei@example.org' });
    expect(await core.must('people.list', {})).toEqual(all);
    // Once, and not over somebody who has the address by now.
    expect(await core.ask('removals.putBack', bo)).toMatchObject({ failure: { code: 'not-found' } });
    const again = await core.must('people.remove', { email: 'ana@example.org' });
    await core.must('people.save', { email: 'ana@example.org', name: 'Other' });
    expect(await core.ask('removals.putBack', again)).toMatchObject({ failure: { code: 'not-found' } });
    expect(core.events.filter(({ name }) => name === 'people.changed').length).toBeGreaterThan(3);
  });

  it('imports a spreadsheet, merges by address and tells the rows that it left out', async () => {
    const { core, importText } = await ready();
    await core.must('people.save', { email: 'ana@example.org', name: 'Ana' });
    const outcome = await importText(
      'people.csv',
      [
        'First Name;Last Name;E-mail Address;E-mail Type',
        'Ana;Petrov;ANA@example.org;SMTP',
        'Bo;Lindqvist;bo@example.org;SMTP',
        'Bo;;BO@example.org;',
        'Nobody;At all;;',
        'Wrong;;not-an-address;',
        `${'x'.repeat(300)};;long@example.org;`,
      ].join('\r\n'),
    );
    expect(outcome).toEqual({
      ok: true,
      value: {
        fileName: 'people.csv',
        added: 1,
        changed: 1,
        known: 1,
        problemCount: 3,
        problems: [
          { line: 5, reason: 'no-email' },
          { line: 6, reason: 'email-invalid' },
          { line: 7, reason: 'name-too-long' },
        ],
      },
    });
    expect(await namesOf(core)).toEqual(['Ana Petrov <ana@example.org>', 'Bo Lindqvist <bo@example.org>']);
  });

  it('refuses a file that is neither, and keeps what it has', async () => {
    const { core, importText } = await ready();
    await core.must('people.save', { email: 'ana@example.org' });
    const refused = await importText('picture.bin', Buffer.from([0x42, 0, 0x45, 0, 0, 1, 2, 3]));
    expect(refused).toMatchObject({
      ok: false,
      failure: { detail: 'table-unreadable', fields: { tableToken: 'is no text' } },
    });
    const large = await importText('large.csv', 'x'.repeat(21 * 2 ** 20));
    expect(large).toMatchObject({
      failure: { detail: 'table-too-large', fields: { tableToken: 'is larger than 20 MB' } },
    });
    expect(await namesOf(core)).toHaveLength(1);
  });

  it('exports a CSV that no spreadsheet takes for formulas, and reads it back', async () => {
    const { core, folder, importText } = await ready();
    await core.must('people.save', { email: '+ops@example.org', name: '=HYPERLINK("https://evil.example")' });
    await core.must('people.save', { email: 'zoe@example.org', name: 'Zoë "Z", Núñez' });
    core.dialogs.targets.push(join(folder, 'out.csv'));
    expect(await core.must('people.export', { language: 'en' })).toEqual({ fileName: 'out.csv', count: 2 });
    const text = await readFile(join(folder, 'out.csv'), 'utf8');
    expect(text).toContain("'=HYPERLINK");
    expect(text).toContain("'+ops@example.org");
    await core.must('people.clear', {});
    expect(await importText('back.csv', text)).toMatchObject({ value: { added: 2, problemCount: 0 } });
    expect(await namesOf(core)).toEqual([
      '=HYPERLINK("https://evil.example") <+ops@example.org>',
      'Zoë "Z", Núñez <zoe@example.org>',
    ]);
    expect(await core.must('people.export', { language: 'en' })).toBeNull();
  });

  it('holds its limit, answers other calls while it imports, and finds in a full book at once', async () => {
    const { core, importText } = await ready();
    const lines = Array.from(
      { length: peopleLimits.kept + 5 },
      (_one, at) => `BEGIN:VCARD\nFN:Person ${at}\nEMAIL:person${at}@example.org\nEND:VCARD`,
    );
    let isDone = false;
    const importing = importText('many.vcf', lines.join('\n')).finally(() => {
      isDone = true;
    });
    let answered = 0;
    while (!isDone) {
      await core.must('people.list', { search: 'person', limit: 5 });
      answered += 1;
      await nextTurn();
    }
    expect(answered).toBeGreaterThan(20);
    expect(await importing).toMatchObject({
      value: { added: peopleLimits.kept, problemCount: 5, problems: [{ reason: 'full' }, {}, {}, {}, {}] },
    });
    expect(await core.ask('people.save', { email: 'late@example.org' })).toMatchObject({
      failure: { fields: { email: 'has no room' } },
    });
    expect((await core.must('people.list', { search: 'p', limit: 8 })).total).toBe(peopleLimits.kept);
  }, 60_000);
});
