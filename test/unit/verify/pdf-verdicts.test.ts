import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { PdfSignature } from '../../../contract/pdf-signatures.ts';
import { describeFile } from '../../../electron/core/verify/pdf-signatures/answer/describe-file.ts';
import type { FileAnswer } from '../../../electron/core/verify/pdf-signatures/answer/file-answer.ts';
import { describeBytes } from '../../harness/describe-bytes.ts';
import { objectNumbers, type SignedPdf, unsignedPdf } from '../../harness/signed-pdf.ts';
import { makeSigner } from '../../harness/signers.ts';

const signer = makeSigner({ key: 'rsa', name: 'Ana Ruiz' });
const second = makeSigner({ key: 'p256', name: 'Ben Ode' });
const authority = makeSigner({ key: 'p256', name: 'Time authority' });
const signedAt = new Date('2026-03-03T09:41:07Z');
const at = new Date('2026-03-03T10:00:00Z');
const fields = ['name', 'place'];

const describeSigned = (pdf: SignedPdf) => describeBytes(pdf.bytes);
const of = (answer: FileAnswer, index = 0): Partial<PdfSignature> => answer.signatures[index] ?? {};

describe.each(['table', 'stream', 'packed', 'hybrid', 'linearised'] as const)(
  'Signed files with their places: %s',
  (xref) => {
    const plain = unsignedPdf({ fields, xref });
    const signed = plain.sign({
      signer,
      signedAt,
      field: 'First',
      subFilter: 'ETSI.CAdES.detached',
      signingCertificate: 'v2',
    });

    it('are unsigned without a signature, and unchanged where nothing followed', async () => {
      expect(await describeSigned(plain)).toMatchObject({ verdict: 'unsigned', reason: null, signatures: [] });
      const followed = await describeBytes(Buffer.concat([plain.bytes, Buffer.from('% scanned by the gateway\n')]));
      expect(followed).toMatchObject({ verdict: 'unsigned', reason: null });
      const answer = await describeSigned(signed);
      expect(answer).toMatchObject({
        verdict: 'unchanged',
        reason: null,
        revisionEnds: signed.ends.map((end) => end - 1),
      });
      expect(of(answer)).toEqual({
        field: 'First',
        integrity: 'intact',
        covers: 'whole',
        laterChanges: 'none',
        docMdp: null,
        algorithm: 'sha256/rsa',
        level: 'B-B',
        signer: 'Ana Ruiz',
        emails: [],
        statedName: null,
        claimedTime: '2026-03-03T09:41:07Z',
        timestamp: null,
        weak: [],
        reason: null,
        coversTo: signed.bytes.length,
        changedPages: [],
        trust: expect.objectContaining({ by: null, validity: 'valid', revocation: 'not-checked' }),
      });
    });

    it('have only additions after a second signature, validation data and timestamps, and rise in level', async () => {
      const twice = signed.sign({ signer: second, field: 'Second' });
      const added = await describeSigned(twice);
      expect(added).toMatchObject({ verdict: 'only-additions-allowed', reason: null });
      expect(of(added)).toMatchObject({
        covers: 'revision',
        laterChanges: 'signatures-and-validation-data',
        level: 'B-B',
      });
      expect(of(added, 1)).toMatchObject({ field: 'Second', covers: 'whole', laterChanges: 'none', level: 'PKCS7' });
      const validated = signed.addValidationData([signer.certificate]);
      expect(of(await describeSigned(validated)).level).toBe('B-B');
      const archived = validated.timestamp({ signer: authority, at, field: 'Archive' });
      const answer = await describeSigned(archived);
      expect(answer.verdict).toBe('only-additions-allowed');
      expect(of(answer)).toMatchObject({ level: 'B-LTA', laterChanges: 'signatures-and-validation-data' });
      expect(of(answer, 1)).toMatchObject({
        field: 'Archive',
        level: 'timestamp',
        timestamp: '2026-03-03T10:00:00Z',
        claimedTime: null,
      });
      const late = signed.timestamp({ signer: authority, at }).addValidationData([signer.certificate]);
      expect(of(await describeSigned(late.addValidationData([second.certificate]))).level).toBe('B-LTA');
    });

    it('say that a form was filled in, and where', async () => {
      const answer = await describeSigned(signed.fill('name', 'Eve'));
      expect(answer).toMatchObject({ verdict: 'only-additions-allowed', changedPages: [1] });
      expect(of(answer)).toMatchObject({ laterChanges: 'form-filling', changedPages: [1] });
    });

    it('are changed after an annotation, unless a certification allows it', async () => {
      const annotated = await describeSigned(signed.annotate('No'));
      expect(annotated).toMatchObject({ verdict: 'changed', reason: 'An annotation was added.', changedPages: [1] });
      expect(of(annotated)).toMatchObject({ laterChanges: 'annotations' });
      const certified = plain.sign({ signer, field: 'First', certifies: 3 });
      const allowed = await describeSigned(certified.annotate('Yes'));
      expect(allowed).toMatchObject({ verdict: 'only-additions-allowed', reason: null });
      expect(of(allowed)).toMatchObject({ laterChanges: 'annotations', docMdp: { level: 3, violated: false } });
    });

    it('are held to their certification', async () => {
      const outcomes = await Promise.all(
        ([1, 2, 3] as const).map(async (certifies) => {
          const certified = plain.sign({ signer, field: 'First', certifies });
          const later = [
            certified.addValidationData([signer.certificate]).timestamp({ signer: authority, at }),
            certified.sign({ signer: second }),
            certified.fill('name', 'Eve'),
            certified.annotate('No'),
          ];
          const answers = await Promise.all(later.map(describeSigned));
          return answers.map((answer) => `${answer.verdict} ${of(answer).docMdp?.violated}`);
        }),
      );
      const [kept, violated] = ['only-additions-allowed false', 'changed true'];
      expect(outcomes).toEqual([
        [kept, violated, violated, violated],
        [kept, kept, kept, violated],
        [kept, kept, kept, kept],
      ]);
    });

    it('are held to the fields that they lock', async () => {
      const locked = plain.sign({ signer, field: 'First', locks: ['name'] });
      expect(of(await describeSigned(locked.fill('place', 'Oslo')))).toMatchObject({ laterChanges: 'form-filling' });
      const answer = await describeSigned(locked.fill('name', 'Eve'));
      expect(answer).toMatchObject({ verdict: 'changed', reason: 'A field was changed that the signature locks.' });
      const all = plain.sign({ signer, field: 'First', locks: 'all' });
      expect((await describeSigned(all.fill('place', 'Oslo'))).verdict).toBe('changed');
      const unknown = plain.sign({ signer, field: 'First', locks: 'never' });
      expect((await describeSigned(unknown.fill('place', 'Oslo'))).verdict).toBe('changed');
      const twice = plain.sign({ signer, field: 'First', certifies: 3, certifiesToo: 1 });
      expect((await describeSigned(twice.annotate('No'))).verdict).toBe('changed');
      expect((await describeSigned(all.sign({ signer: second }))).verdict).toBe('only-additions-allowed');
    });

    it('are broken when a byte that is covered is another one', async () => {
      const changed = Buffer.from(signed.bytes);
      changed[changed.indexOf('Lease')] = 0x4d;
      const answer = await describeBytes(changed);
      expect(answer.verdict).toBe('broken');
      expect(answer.reason).toBe('The content is not what was signed: its digest is another one.');
    });

    it('name every prefix that ends a revision, with its digest', async () => {
      const twice = signed.sign({ signer: second }).fill('name', 'Eve');
      const { prefixes } = await describeSigned(twice);
      const lengths = twice.ends.flatMap((end) => [end - 1, end]);
      const expected = lengths.map((length) => ({
        length,
        sha256: createHash('sha256').update(twice.bytes.subarray(0, length)).digest('hex'),
      }));
      // A linearised file has an end at its beginning too.
      expect(prefixes.slice(-expected.length)).toEqual(expected);
    });

    it('are changed by what follows their end', async () => {
      for (const behind of ['% sent on by a gateway\n', 'kept in the archive', `%${'x'.repeat(900)}\r\n`]) {
        const followed = await describeBytes(Buffer.concat([signed.bytes, Buffer.from(behind)]));
        expect(followed).toMatchObject({
          verdict: 'changed',
          reason: 'Something was added behind the end of the document.',
        });
        expect(of(followed)).toMatchObject({ covers: 'revision', integrity: 'intact', laterChanges: 'other' });
        expect(followed.revisionEnds).not.toBeNull();
      }
      for (const behind of [`%${'x'.repeat(1_100)}`, 'startxref\n9\n', '% %%EOF', '% 1 0 obj', '% /ByteRange'])
        expect((await describeBytes(Buffer.concat([signed.bytes, Buffer.from(behind)]))).verdict).toBe('undecidable');
    });

    it('are read like those with white space behind their end, and are undecidable with objects there', async () => {
      const spaced = await describeBytes(Buffer.concat([signed.bytes, Buffer.from('\r\n \0')]));
      expect(spaced).toMatchObject({ verdict: 'unchanged' });
      expect(of(spaced)).toMatchObject({ covers: 'whole' });
      const followed = await describeBytes(Buffer.concat([signed.bytes, Buffer.from('9 0 obj 1 endobj')]));
      expect(followed).toMatchObject({
        verdict: 'undecidable',
        reason: 'The file does not end as a PDF does.',
        revisionEnds: null,
      });
      expect(followed.prefixes.map(({ length }) => length)).toContain(signed.bytes.length);
    });

    it('are changed where a later revision replaces what is shown', async () => {
      const { content, page, pages, font, catalog } = objectNumbers;
      const changes: readonly Record<number, string>[] = [
        { [content]: signed.object(content).replace('Lease', 'Sales') },
        { [font]: '<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>' },
        { [page]: signed.object(page).replace('595 842', '595 420') },
        {
          [pages]: signed.object(pages).replace(`[${page} 0 R] /Count 1`, `[${page} 0 R 90 0 R] /Count 2`),
          90: signed.object(page),
        },
        { [catalog]: signed.object(catalog).replace(' >>', ' /OpenAction << /S /JavaScript /JS (app.alert) >> >>') },
      ];
      for (const change of changes)
        expect(of(await describeSigned(signed.replace(change))), JSON.stringify(change)).toMatchObject({
          laterChanges: 'other',
        });
      expect((await describeSigned(signed.replace({ 90: '<< /Nothing /Here >>' }))).verdict).toBe(
        'only-additions-allowed',
      );
    });
  },
);

describe('The file', () => {
  it('is read twice at most, in bounded pieces', async () => {
    const pdf = unsignedPdf({ text: 'x'.repeat(9 * 1024 * 1024) }).sign({ signer });
    const lengths: number[] = [];
    const readInto = (target: Uint8Array, position: number) => {
      lengths.push(target.length);
      target.set(pdf.bytes.subarray(position, position + target.length));
    };
    expect((await describeFile({ size: pdf.bytes.length, readInto })).verdict).toBe('unchanged');
    expect(Math.max(...lengths)).toBeLessThanOrEqual(1024 * 1024 + 64);
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBeLessThan(2.2 * pdf.bytes.length);
  });

  it('that cannot be read is an error, not a verdict', async () => {
    const readInto = () => {
      throw new Error('gone');
    };
    await expect(describeFile({ size: 10, readInto })).rejects.toThrow('gone');
  });

  it.each(['', '%PDF-', 'no PDF at all', '\0'.repeat(5_000), '%PDF-1.7\nstartxref\n0\n%%EOF'])(
    'that is no PDF is undecidable: %j',
    async (text) => {
      expect(await describeBytes(Buffer.from(text))).toMatchObject({
        verdict: 'undecidable',
        signatures: [],
        revisionEnds: null,
      });
    },
  );
});
