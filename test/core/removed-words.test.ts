import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newCore, newFolder } from './jobs-setup.ts';

/** Files of the data folder that have the text. */
function filesWith(folder: string, text: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.filter((file) => readFileSync(join(file.parentPath, file.name)).includes(text)).map(({ name }) => name);
}

it('what a person removed is in no file after the program ended', async () => {
  const dataDir = await newFolder();
  const core = await newCore({ dataDir });
  const ids: string[] = [];
  // One within a page of the database, and one of many pages.
  for (const length of [10, 9_000]) {
    const content = { kind: 'easy-sign' as const, messageToSigners: `kingfisher ${'heron '.repeat(length / 6)}` };
    ids.push((await core.must('forms.save', { place: 'preset', name: `Leases ${length}`, content })).id);
  }
  for (let n = 0; n < 60; n++) await core.must('people.save', { email: `person${n}@wagtail.example`, name: `P ${n}` });
  await core.must('people.save', { email: 'bittern@mail.example', name: 'Botaurus Stellaris' });
  await core.stop();
  const again = await newCore({ dataDir });
  expect(filesWith(dataDir, 'kingfisher')).toContain('sealdesk.db');
  expect(filesWith(dataDir, 'bittern')).toContain('sealdesk.db');
  for (const id of ids) await again.must('forms.remove', { id });
  await again.must('people.remove', { email: 'bittern@mail.example' });
  await again.stop();
  for (const word of ['kingfisher', 'heron heron', 'bittern', 'stellaris', 'Stellaris'])
    expect([word, filesWith(dataDir, word)]).toEqual([word, []]);
});
