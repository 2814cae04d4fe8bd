import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { failureOf } from '../../../electron/core/foundation/app-error.ts';
import type { SoapClient } from '../../../electron/soap/service/client.ts';
import { createSoapClient } from '../../../electron/soap/soap-client.ts';
import { type RawServer, startXmlServer } from '../../harness/raw-server.ts';
import { credentials, enveloped, replyOf, targetFor } from '../../harness/soap-texts.ts';

/** Values that a service calls secret words, where it answers otherwise than the interface says. */
const entry = '<ESignList><Email>a@mail.example</Email><SecretWord>GE HEIM</SecretWord><Name>Ann</Name></ESignList>';
const escaped = `<r>${entry}</r>`.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const renamed = escaped.replaceAll('SecretWord', 'Kennwort');
const texts = [escaped, renamed, escaped.replaceAll('&', '&amp;'), '{"SecretWord":"GE HEIM","Name":"Ann"}'];

let server: RawServer;
let answer = '';
let status = 200;
let client: SoapClient;
beforeAll(async () => {
  server = await startXmlServer(() => ({ xml: answer, status }));
});
beforeEach(() => {
  status = 200;
  const target = targetFor(server.url);
  const elementNames = { ...target.elementNames, 'GetESignList.SecretWord': 'Kennwort' };
  client = createSoapClient({ ...target, elementNames }, credentials);
});
afterAll(() => server.close());

const failing = (call: Promise<unknown>) => call.then(String, (error: unknown) => JSON.stringify(failureOf(error)));

describe.each(texts)('a text with a secret word: %s', (text) => {
  it.each([
    ['a list', 'GetESignList', () => failing(client.listESign(1, 0, () => undefined))],
    ['a status', 'GetDocumentStatus', async () => (await client.invoke('GetDocumentStatus', {})).raw ?? ''],
    ['details', 'GetDocumentDetails', async () => (await client.invoke('GetDocumentDetails', {})).raw ?? ''],
    [
      'a list in the doctor',
      'GetESignList',
      async () => JSON.stringify(await client.shape('GetESignList', { ListType: 1, MaxItems: 0 })),
    ],
  ] as const)('is hidden in place of %s', async (_what, operation, shown) => {
    answer = replyOf(operation, text);
    const left = await shown();
    expect(left).toContain('•••');
    expect(left).not.toMatch(/GE|HEIM/);
  });
  it('is hidden in a fault', async () => {
    status = 500;
    answer = enveloped(
      `<soap-env:Fault><faultcode>soap-env:S</faultcode><faultstring>${text}</faultstring></soap-env:Fault>`,
    );
    const left = await failing(client.invoke('GetSchedule', {}));
    expect(left).toContain('•••');
    expect(left).not.toMatch(/GE|HEIM/);
  });
});

it.each(['SecretWord', 'Kennwort', 'secretWord'])(
  'elements called %s are hidden at any depth of another result',
  async (name) => {
    const inner = entry.replaceAll('SecretWord', name);
    for (const result of [
      inner,
      `<List>${inner}</List>`,
      `<${name}><a>GE</a>\nHE<b>IM</b></${name}><Name>Ann</Name>`,
    ]) {
      answer = replyOf('GetDocumentStatus', result);
      const { raw } = await client.invoke('GetDocumentStatus', {});
      expect(raw).toMatch(/•••[\s\S]*Ann/);
      expect(raw).not.toMatch(/GE|HE|IM/);
      answer = replyOf('GetDocumentDetails', `${result}<Errors>0</Errors>`);
      expect(JSON.stringify(await client.shape('GetDocumentDetails', {}))).not.toMatch(/"[^"]*(?:GE|HE|IM)/);
    }
  },
);

it('a list keeps them', async () => {
  answer = replyOf('GetESignList', entry.replaceAll('SecretWord', 'Kennwort'));
  const words: unknown[] = [];
  await client.listESign(1, 0, (entries) => void words.push(...entries.map((one) => one?.SecretWord)));
  expect(words).toEqual(['GE HEIM']);
});

it.each([
  ['a replaced character', 'Wörter&#xB;-Geheim+77/x'],
  ['names of HTML', 'W&amp;ouml;rter&amp;hyphen;Geheim&amp;plus;77&amp;sol;x'],
  ['elements', '<b>Wörter-Ge</b><i>heim+77/x</i>'],
  ['elements as text', '&lt;b>Wörter-Ge&lt;/b>&lt;i>heim+77/x&lt;/i>'],
  ['blanks', 'W ö r t e r - G e h e i m + 7 7 / x'],
])('the secret word of a request is hidden where its answer repeats it with %s', async (_what, written) => {
  const args = { creditType: 1, ReqOwnerESign: false, OwnerESignFirst: false, SecretWord: 'Wörter-Geheim+77/x' };
  answer = replyOf('AddNewDocumentESign', written);
  expect((await client.invoke('AddNewDocumentESign', args)).raw).not.toMatch(/rter|heim|77|7 7|h e i/);
  status = 500;
  const text = written.replace(/<\/?[bi]>/g, ' ');
  answer = enveloped(
    `<soap-env:Fault><faultcode>s:${text}</faultcode><faultstring>${text}</faultstring></soap-env:Fault>`,
  );
  expect(await failing(client.invoke('AddNewDocumentESign', args))).not.toMatch(/rter|heim|77|7 7|h e i/);
});
