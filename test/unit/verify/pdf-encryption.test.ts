import { createCipheriv } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { findKey, openEncryption, rc4 } from '../../../electron/core/verify/pdf-signatures/structure/encryption.ts';
import { bytesOf } from '../../../electron/core/verify/pdf-signatures/structure/file-window.ts';
import { Lexer } from '../../../electron/core/verify/pdf-signatures/structure/lexer.ts';
import { isKind, type PdfDictionary } from '../../../electron/core/verify/pdf-signatures/structure/pdf-values.ts';
import { describeBytes } from '../../harness/describe-bytes.ts';
import { unsignedPdf } from '../../harness/signed-pdf.ts';
import { makeSigner } from '../../harness/signers.ts';

const hex = (text: string) => Buffer.from(text, 'hex');
const id = hex('67cd4bc07e140aa5c4c7ec6241db25e1');
const longOwner = '0ba3835f88f90388e74e54584125ce142be0de24c6b0d37746e075b891756671';

/** Made by another program (qpdf 12), with the passwords “user” and “owner”. */
const files = [
  [
    'RC4, 40 bits',
    2,
    5,
    '94e8094419662a774442fb072e3d9f19e9d130ec09a4d0061e78fe920f7ab62f',
    '4beb9a353278d03dce4136b2cf49eb8e3db3c3c7fb7e2a98a5ab05b0140661ce',
    '',
    '',
  ],
  ['RC4, 128 bits', 3, 16, longOwner, '1605f3993152839fdf00ccd22e80ca870122456a91bae5134273a6db134c87c4', '', ''],
  ['AES, 128 bits', 4, 16, longOwner, '1605f3993152839fdf00ccd22e80ca870122456a91bae5134273a6db134c87c4', '', ''],
  [
    'AES, 128 bits, open metadata',
    4,
    16,
    longOwner,
    '0dbb32336a71fc6f925fb688ea04b95d0122456a91bae5134273a6db134c87c4',
    '',
    '',
  ],
  [
    'AES, 256 bits, first form',
    5,
    32,
    '66b2d740cfe8e8771d40aff82f5827e5127ccc321fc0d9619e6f140779d2cdfb5b54954aca9cad87eb6e0036b9cf3f05',
    '54cbf6cccd1d0bc91cf20ac8ca317be911f60ddd5035508a36aff4f8c9ead40bb27844a783b78c2f5ff0ee335bd69c9a',
    'cbd8b747d2d3dfb0cf74d118d91da717d7d5aa7232b14034cf67dec165201cac',
    '83e8dda5d669fe1583a40f35707e8177436461707cfc5ac2ca912081f26e965f',
  ],
  [
    'AES, 256 bits',
    6,
    32,
    'edaae05701e69bf6f7e3277f0e7a38f890ad4e3c4557bee0fd4eee156f1e60c62a90a6d74fb61e05c142951075c4c524',
    'a3569093b935f6badb55f441ff48f95a54b3f10219a4669a9a35f940a9a3ca4129f5c67edd7b7223b943970053091a6c',
    'cf1aea09faaba35f138189a05534419a6493916ebd58baa13fe22abae6423f5b',
    '311e44487966016d9434cbb41121f015ff04e58787dc7d2db115f29b98b028a3',
  ],
] as const;

describe('The key of an encrypted file', () => {
  it.each(files)(
    'is found by both passwords, and by no other: %s',
    (name, revision, keyBytes, owner, user, ownerKey, userKey) => {
      const terms = {
        revision,
        keyBytes,
        owner: hex(owner),
        user: hex(user),
        ownerKey: hex(ownerKey),
        userKey: hex(userKey),
        id,
        permissions: -4,
        encryptsMetadata: !name.endsWith('metadata'),
      };
      const key = findKey(terms, 'user');
      expect(key?.length).toBe(keyBytes);
      expect(findKey(terms, 'owner')).toEqual(key);
      expect(['', 'User', 'owner '].map((password) => findKey(terms, password))).toEqual([null, null, null]);
    },
  );
});

it('RC4 gives the stream of RFC 6229', () => {
  expect(Buffer.from(rc4(hex('0102030405'), Buffer.alloc(16))).toString('hex')).toBe(
    'b2396305f03dc027ccc3524a0a1118a8',
  );
});

function dictionaryOf(text: string): PdfDictionary {
  const value = new Lexer(bytesOf(Buffer.from(text)), 0).value();
  if (!isKind(value, 'dictionary')) throw new Error('no dictionary');
  return value;
}

const [, , , , , [, , , owner, user, ownerKey, userKey]] = files;
const strong = `/Filter /Standard /V 5 /R 6 /O <${owner}> /U <${user}> /OE <${ownerKey}> /UE <${userKey}> /P -4`;
const crypt = '/CF << /Own << /CFM /AESV3 >> >> /StmF /Own /StrF /Own';

describe('An encrypted file', () => {
  it('has its strings opened, but for the contents of a signature', () => {
    const found = openEncryption(dictionaryOf(`<< ${strong} ${crypt} >>`), id, 'user');
    const terms = {
      revision: 6,
      keyBytes: 32,
      owner: hex(owner),
      user: hex(user),
      ownerKey: hex(ownerKey),
      userKey: hex(userKey),
    };
    const key = findKey({ ...terms, permissions: -4, encryptsMetadata: true, id }, 'user') ?? Buffer.of();
    const cipher = createCipheriv('aes-256-cbc', key, Buffer.alloc(16, 1));
    const stored = Buffer.concat([Buffer.alloc(16, 1), cipher.update('Director'), cipher.final()]);
    const written = dictionaryOf(`<< /T <${stored.toString('hex')}> /ByteRange [0 1 2 3] /Contents <00ff> >>`);
    const opened = found.strings(written, { number: 7, generation: 0 });
    const entries = isKind(opened, 'dictionary') ? opened.entries : new Map();
    expect(Buffer.from(entries.get('T').bytes).toString()).toBe('Director');
    expect(Buffer.from(entries.get('Contents').bytes).toString('hex')).toBe('00ff');
    expect(Buffer.from(found.stream(stored, { number: 7, generation: 0 })).toString()).toBe('Director');
  });

  it('is undecidable without the password where it is signed, and as every other with it', async () => {
    const signer = makeSigner({ key: 'p256' });
    // Strings and streams are left as they are: what is asked here is whether they could be read.
    const trailer = ` /Encrypt << ${strong} /CF << >> /StmF /Identity /StrF /Identity >> /ID [<00> <00>]`;
    const plain = unsignedPdf({ trailer });
    const signed = plain.sign({ signer }).sign({ signer });
    expect(await describeBytes(plain.bytes)).toMatchObject({ verdict: 'unsigned', needsPassword: true });
    for (const password of [undefined, 'wrong'])
      expect(await describeBytes(signed.bytes, password)).toMatchObject({
        verdict: 'undecidable',
        needsPassword: true,
      });
    expect(await describeBytes(signed.bytes, 'owner')).toMatchObject({
      verdict: 'only-additions-allowed',
      needsPassword: false,
    });
  });

  it('for certificates is undecidable', async () => {
    const trailer = ' /Encrypt << /Filter /Adobe.PubSec /V 4 >> /ID [<00> <00>]';
    const signed = unsignedPdf({ trailer }).sign({ signer: makeSigner({ key: 'p256' }) });
    expect((await describeBytes(signed.bytes)).verdict).toBe('undecidable');
  });
});
