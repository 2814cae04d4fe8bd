import { describe, expect, it } from 'vitest';
import { noPolicy, readPolicy } from '../../../electron/core/settings/read-policy.ts';
import { selfSigned } from '../../harness/certificate.ts';
import { newKey } from '../../harness/update-feed.ts';

const { cert } = selfSigned({ organisation: 'Office' });
const broken = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
const office = {
  id: 'office',
  name: 'Office',
  baseUrl: 'https://service.example',
  mainPath: '/a.asmx',
  namespaceUri: 'urn:a/',
};
const problemsOf = (written: Readonly<Record<string, unknown>>) =>
  readPolicy(written, noPolicy).problems.map(({ kind, key }) => `${kind} ${key}`);

describe('a value that the program could not use', () => {
  const updateKey = newKey().setting;
  it.each([
    ['a certificate that is broken', { extraCa: broken }, 'wrong-value extraCa'],
    ['a good certificate beside a broken one', { extraCa: `${cert}${broken}` }, 'wrong-value extraCa'],
    ['no certificate at all', { extraCa: 'office-ca.crt' }, 'wrong-value extraCa'],
    ['a language without texts', { language: 'xx' }, 'wrong-value language'],
    ['a recommended language without texts', { recommended: { language: 'xx' } }, 'wrong-value recommended.language'],
    ['a feed without a key', { updateFeed: 'https://updates.example' }, 'missing updateKey'],
    ['a key without a feed', { updateKey }, 'missing updateFeed'],
    ['a connection’s broken certificate', withOffice({ extraCa: broken }), 'wrong-value connections[0].extraCa'],
    [
      'a name for an element that there is not',
      withOffice({ elementNames: { Purple: 'Green' } }),
      'wrong-value connections[0].elementNames.Purple',
    ],
    [
      'a name that cannot be sent',
      withOffice({ elementNames: { ClientID: '_xml' } }),
      'wrong-value connections[0].elementNames.ClientID',
    ],
    [
      'one name for two elements',
      withOffice({ elementNames: { ClientID: 'DocumentName' } }),
      'wrong-value connections[0].elementNames.AddNewDocument',
    ],
  ] as const)('is named: %s', (_what, written, problem) => {
    expect(problemsOf(written)).toEqual([problem]);
  });

  it('locks its setting, and takes no other connection with it', () => {
    const written = {
      extraCa: broken,
      connections: [
        { ...office, extraCa: broken },
        { ...office, id: 'b', name: 'B' },
      ],
    };
    const { mandatory, unreadable } = readPolicy(written, noPolicy);
    expect([...unreadable]).toEqual(['extraCa']);
    expect(mandatory.get('connections')).toMatchObject([{ id: 'b' }]);
  });

  it('is none of these', () => {
    const own = { ...office, extraCa: cert, elementNames: { ServiceDocumentID: 'AcmeID' } };
    for (const language of ['system', 'de', 'de-AT', 'FR']) expect(problemsOf({ language })).toEqual([]);
    expect(problemsOf({ extraCa: `${cert}${cert}`, connections: [own] })).toEqual([]);
    expect(problemsOf({ updateFeed: 'https://updates.example', updateKey })).toEqual([]);
  });
});

function withOffice(more: object) {
  return { connections: [{ ...office, ...more }] };
}
