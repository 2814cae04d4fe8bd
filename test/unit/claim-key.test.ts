import { expect, it } from 'vitest';
import { claimKey } from '../../electron/core/team/claims.ts';

type Given = Parameters<typeof claimKey>[0];

const record = {
  name: 'Lease',
  description: '',
  clientId: '',
  signers: 'a@example.com, b@example.com',
  fileName: 'a.pdf',
};
const add = (more: Partial<Given> = {}): Given => ({
  operation: 'AddNewDocument',
  sourcePath: '/home/ana/a.pdf',
  sha256: 'ab'.repeat(32),
  record,
  args: { DocumentName: 'Lease', CreditType: 1 },
  ...more,
});

it('is the bytes of a document, whatever its name and place', () => {
  const elsewhere = add({
    sourcePath: '/home/bo/b.pdf',
    record: { ...record, name: 'Other' },
    args: { CreditType: 2 },
  });
  expect(claimKey(elsewhere)).toBe(claimKey(add()));
  expect(claimKey(add({ sha256: 'cd'.repeat(32) }))).not.toBe(claimKey(add()));
});

it('is of a signature request its bytes and its people: one document goes to many on purpose', () => {
  const request = add({ operation: 'AddNewDocumentESign' });
  expect(claimKey({ ...request, record: { ...record, name: 'Other' } })).toBe(claimKey(request));
  expect(claimKey({ ...request, record: { ...record, signers: 'c@example.com' } })).not.toBe(claimKey(request));
  expect(claimKey(request)).not.toBe(claimKey(add()));
});

it('is of a note all fields that are sent, in any order', () => {
  const row = add({ operation: 'AddQuickNote', sourcePath: null, sha256: null });
  const args = { QuickNoteMessage: 'Paid', description: 'A' };
  const key = claimKey({ ...row, args });
  expect(claimKey({ ...row, args: { description: 'A', QuickNoteMessage: 'Paid' } })).toBe(key);
  expect(claimKey({ ...row, args: { ...args, description: 'B' } })).not.toBe(key);
});

it('is of a template the template, its people and what is filled in, whatever its name, reference and mail', () => {
  const row = add({ operation: 'AddNewEasySignTemplate', sourcePath: null, sha256: null });
  const args = { TemplateID: '7', Emails: 'a@example.com' };
  const key = claimKey({ ...row, args });
  const mail = { CustomSubject: 'Sign', MessageToSigners: 'Please', CCEmails: 'c@example.com', UniqueID: 'u' };
  const named = { DocumentName: 'Other', Description: 'again', ClientID: 'C-2', XMLData: '' };
  expect(claimKey({ ...row, args: { ...named, ...mail, ...args } })).toBe(key);
  expect(claimKey({ ...row, args: { ...args, TemplateID: '8' } })).not.toBe(key);
  expect(claimKey({ ...row, args: { ...args, XMLData: '<fields/>' } })).not.toBe(key);
});

it('is the same however the addresses are typed, in whatever order, and whatever their people are called', () => {
  const request = add({ operation: 'AddNewDocumentESign' });
  const typed = { ...request, record: { ...record, signers: 'A@Example.com, b@EXAMPLE.com' } };
  expect(claimKey(typed)).toBe(claimKey(request));
  const row = add({ operation: 'AddNewEasySignTemplate', sourcePath: null, sha256: null });
  const args = { TemplateID: '7', Emails: 'a@example.com;b@example.com', CCEmails: 'c@example.com', Names: 'Ann;Bo' };
  const sameArgs = { ...args, Emails: 'b@Example.com;A@example.com', CCEmails: 'C@example.com', Names: 'Bo B;Ann' };
  expect(claimKey({ ...row, args: sameArgs })).toBe(claimKey({ ...row, args }));
  expect(claimKey({ ...row, args: { ...args, Emails: 'a@example.com' } })).not.toBe(claimKey({ ...row, args }));
});
