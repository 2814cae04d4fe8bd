import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type SignedPdf, unsignedPdf } from '../harness/signed-pdf.ts';
import { makeSigner } from '../harness/signers.ts';
import { connect, newCore, newFolder, newService, register, scan, untilEnded } from './jobs-setup.ts';

const asked = [
  { email: 'ann@example.com', name: 'Ann Doe' },
  { email: 'bob@example.com', name: 'Bob Roe' },
  { email: 'cy@example.com', name: 'Cy Poe' },
];
const signer = (name: string, emails: readonly string[] = []) => makeSigner({ key: 'p256', name, emails });

/** What is said of later versions of a file that three people were asked to sign. */
async function asking(versions: (plain: SignedPdf) => Readonly<Record<string, SignedPdf>>) {
  const [core, service, folder] = [await newCore(), await newService({ processingMs: 0 }), await newFolder()];
  const connectionId = await connect(core, service);
  const plain = unsignedPdf({ text: 'Lease 2027' });
  const original = join(folder, 'lease.pdf');
  await writeFile(original, plain.bytes);
  // The same file was registered before, which asked nobody.
  await untilEnded(core, await register(core, connectionId, [original]));
  const { token } = await core.core.acceptPath(original);
  const { batchId } = await core.must('signatures.request', {
    kind: 'easy-sign',
    connectionId,
    fileToken: token,
    emails: asked.map(({ email }) => email),
    names: asked.map(({ name }) => name),
  });
  await untilEnded(core, batchId);
  const files = Object.entries(versions(plain));
  for (const [name, { bytes }] of files) await writeFile(join(folder, name), bytes);
  const paths = [original, ...files.map(([name]) => join(folder, name))];
  const intake = await scan(core, paths, 'verify');
  const { runId } = await core.must('verify.start', { connectionId, intakeId: intake.id });
  await core.untilTask('verification', ({ progress: { run } }) => run.runId === runId && run.state === 'finished');
  const { results } = await core.must('verify.results', { runId });
  return (name: string) => results.find((result) => result.name === name)?.askedAndFound;
}

it('finds the people who were asked by address and name, and says what does not match without a guess', async () => {
  const of = await asking((plain) => ({
    'all.pdf': plain
      .sign({ signer: signer('A. Doe', ['ANN@example.com']) })
      .sign({ signer: signer('bob  roe') })
      .sign({ signer: signer('Signing service'), statedName: 'Cy Poe' })
      .sign({ signer: signer('Mallory', ['mallory@example.com']) }),
    'twice.pdf': plain.sign({ signer: signer('Ann Doe') }).sign({ signer: signer('Ann Doe') }),
  }));
  expect(of('lease.pdf')).toBeNull();
  expect(of('all.pdf')).toMatchObject({
    asked: ['email', 'name', 'stated'].map((found, at) => ({ ...asked[at], found })),
    others: ['Mallory'],
    isSealed: false,
  });
  // Two signatures of one name: which of them is hers is not said.
  expect(of('twice.pdf')).toMatchObject({ others: ['Ann Doe', 'Ann Doe'], isSealed: false });
  expect(of('twice.pdf')?.asked.some(({ found }) => found)).toBe(false);
});

it('calls one signature of nobody who was asked a seal, unless it does not fit', async () => {
  const of = await asking((plain) => {
    const sealed = plain.sign({ signer: signer('The service') });
    const broken = Buffer.from(sealed.bytes);
    broken[broken.indexOf('/F 132') + 4] = 0x32;
    return { 'sealed.pdf': sealed, 'broken.pdf': { ...sealed, bytes: broken } };
  });
  expect(of('sealed.pdf')).toMatchObject({ others: ['The service'], isSealed: true });
  expect(of('broken.pdf')).toMatchObject({ others: ['The service'], isSealed: false });
});
