import { describe, expect, it } from 'vitest';
import { describeBytes } from '../../harness/describe-bytes.ts';
import { certified, forger, forgeries, plain, signed, signer } from '../../harness/forged-pdfs.ts';
import { objectNumbers } from '../../harness/signed-pdf.ts';

const { page, content } = objectNumbers;

describe('A forged file', () => {
  it.each(Object.keys(forgeries))('is never said to be unchanged or only added to: %s', async (name) => {
    const bytes = forgeries[name]?.() ?? Buffer.of();
    const { verdict, reason } = await describeBytes(bytes);
    expect(['broken', 'changed', 'undecidable'], `${verdict}: ${reason}`).toContain(verdict);
    expect(reason).toMatch(/\.$/);
  });

  // Both fit the bytes that they name, so that nothing is broken.
  it('whose gap holds the contents of another signature is changed', async () => {
    const { verdict, signatures } = await describeBytes(
      forgeries['the gap of another signature, which is there twice']?.() ?? Buffer.of(),
    );
    expect(verdict).toBe('changed');
    expect(signatures.map(({ covers }) => covers)).toContain('unclear');
  });

  it('was an honest one before', async () => {
    expect((await describeBytes(signed.bytes)).verdict).toBe('unchanged');
    expect((await describeBytes(signed.sign({ signer: forger, field: 'Second' }).bytes)).verdict).toBe(
      'only-additions-allowed',
    );
    const shown = certified(2).sign({ signer: forger, field: 'Second', box: [100, 100, 300, 200] });
    expect((await describeBytes(shown.bytes)).verdict).toBe('only-additions-allowed');
    // Twenty notes whose windows would cover a page: nobody draws them on it.
    const pdf = certified(3);
    const windows = Array.from({ length: 20 }, (_, at) => 40 + at);
    const popups = windows.map((number) => [number, '<< /Type /Annot /Subtype /Popup /Rect [595 0 775 120] >>']);
    const list = windows.map((number) => `${number} 0 R`).join(' ');
    const noted = pdf.replace({
      ...Object.fromEntries(popups),
      [page]: pdf.object(page).replace('/Annots [', `/Annots [${list} `),
    });
    expect((await describeBytes(noted.bytes)).verdict).toBe('only-additions-allowed');
    const drawn = plain.replace({
      [page]: plain.object(page).replace(`/Contents ${content} 0 R`, `/Contents [${content} 0 R 50 0 R]`),
    });
    expect((await describeBytes(drawn.sign({ signer, field: 'First' }).bytes)).verdict).toBe('unchanged');
  });
});
