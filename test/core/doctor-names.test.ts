import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { DoctorReport, DoctorStep } from '../../contract/connections.ts';
import type { CallInput } from '../../contract/index.ts';
import { examine } from '../../electron/core/connections/doctor/doctor-calls.ts';
import { assetsDir, type RunningCore, startCore } from '../harness/core.ts';
import { noPolicyState } from '../harness/no-policy.ts';
import { type PracticeOptions, startPractice } from '../harness/practice.ts';
import { targetFor } from '../harness/soap-texts.ts';

let core: RunningCore;
let folder: string;
const ends: (() => Promise<unknown> | unknown)[] = [];
beforeAll(async () => {
  core = await startCore();
  folder = await mkdtemp(join(tmpdir(), 'sealdesk-doctor-names-'));
});
afterAll(async () => {
  await core.stop();
  await rm(folder, { recursive: true });
});
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

const acme = { ServiceDocumentID: 'AcmeID', OrigServiceDocumentID: 'OrigAcmeID', Errors: 'Fehler' };
let count = 0;

/** A service with element names of its own. */
async function startAcme(options: Partial<PracticeOptions> = {}) {
  const dataDir = join(folder, `service-${count++}`);
  const service = await startPractice({ dataDir, assetsDir, elementNames: acme, ...options });
  ends.push(() => service.close());
  return service;
}

type Settings = CallInput<'connections.save'>['settings'];
type Place = Pick<Awaited<ReturnType<typeof startAcme>>, 'baseUrl' | 'apiKey' | 'apiSig'> & {
  readonly mainPath: string;
  readonly easySignPath: string;
  readonly namespaceUri: string;
};

async function check(service: Place, more: Partial<Settings> = {}): Promise<DoctorReport> {
  const { baseUrl, mainPath, easySignPath, namespaceUri, apiKey, apiSig } = service;
  const timeouts = { connectMs: 2000, idleMs: 5000, answerMs: 5000 };
  const settings = { name: `Number ${count++}`, baseUrl, mainPath, easySignPath, namespaceUri, timeouts, ...more };
  const { id } = await core.must('connections.save', { settings });
  await core.must('connections.setCredentials', { id, apiKey, apiSig });
  return await core.must('connections.doctor', { id });
}

const stepOf = (report: DoctorReport, name: DoctorStep['step']) => report.steps.find(({ step }) => step === name);
const brief = (report: DoctorReport) =>
  Object.fromEntries(
    report.steps.map(({ step, result, elements }) => [step, elements ? [result, ...elements] : result]),
  );

describe('a service with element names of its own', () => {
  it('passes with these names, costs nothing and mails nobody', async () => {
    const service = await startAcme();
    const before = service.control.credits();
    const report = await check(service, { elementNames: acme });
    expect(report.steps.filter(({ result }) => result === 'failed' || result === 'unclear')).toEqual([]);
    expect(service.control.credits()).toEqual(before);
    expect(Object.keys(service.control.requests()).filter((name) => /^Add|^Validate/.test(name))).toEqual([]);
  });

  it('fails with the interface’s names, and lists the elements', async () => {
    const report = await check(await startAcme());
    expect(brief(report)).toMatchObject({
      'element-names': [
        'failed',
        ...['GetDocumentStatus', 'GetDocument'].map((one) => `${one}.ServiceDocumentID`),
        expect.any(String),
        expect.any(String),
        expect.any(String),
        expect.any(String),
      ],
      status: ['failed', 'GetDocumentStatus.ServiceDocumentID'],
      details: ['failed', 'GetDocumentDetails.ServiceDocumentID'],
      credentials: 'passed',
    });
    expect(stepOf(report, 'status')?.proposal).toBe('read-wsdl');
    expect(report.text).toContain('GetDocumentStatus.ServiceDocumentID');
  });

  it('fails with wrong names even if the service ignores unknown elements and hides its WSDL', async () => {
    const service = await startAcme({ ignoresUnknown: true, hidesWsdl: true });
    const wrong = await check(service);
    expect(brief(wrong)).toMatchObject({
      'element-names': 'not-tried',
      status: ['failed', 'GetDocumentStatus.ServiceDocumentID'],
      details: ['failed', 'GetDocumentDetails.Errors'],
      'easy-sign': 'unclear',
    });
    const right = await check(service, { elementNames: acme });
    expect(brief(right)).toMatchObject({ status: 'passed', details: 'passed' });
    expect(stepOf(right, 'easy-sign')?.proposal).toBe('ask-about-easy-sign');
  });

  it('reports the element name that the service uses in a list entry', async () => {
    const service = await startAcme({ hidesWsdl: true });
    const elementNames = { ServiceDocumentID: 'AcmeID', Errors: 'Fehler' };
    expect(stepOf(await check(service, { elementNames }), 'signature-list')).toMatchObject({ result: 'passed' });
    service.control.fillESignList(50);
    expect(stepOf(await check(service, { elementNames }), 'signature-list')).toMatchObject({
      result: 'failed',
      elements: ['GetESignList.OrigServiceDocumentID'],
      note: expect.stringContaining('OrigAcmeID'),
    });
  });

  it('fails by its WSDL if only the names of add operations are wrong', async () => {
    const service = await startAcme({ elementNames: { creditType: 'Payment', XMLData: 'Fields' } });
    const report = await check(service);
    expect(stepOf(report, 'element-names')).toMatchObject({
      result: 'failed',
      elements: ['AddNewDocument.creditType', 'AddNewDocumentESign.creditType'],
    });
    expect(stepOf(report, 'easy-sign')).toMatchObject({
      result: 'failed',
      elements: ['AddNewEasySignDocument.XMLData', 'AddNewEasySignTemplate.XMLData'],
    });
  });

  it('never passes with a wrong key', async () => {
    const service = await startAcme({ elementNames: {} });
    const report = await check({ ...service, apiKey: 'wrong-key-0000', apiSig: 'wrong-sig-0000' });
    expect(stepOf(report, 'credentials')).toMatchObject({ result: 'failed', proposal: 'check-credentials' });
    for (const name of ['status', 'details', 'signature-list'] as const) {
      expect(stepOf(report, name)?.result).toBe('not-tried');
    }
  });

  it('fails the Easy Sign step if the Easy Sign path leads to the main service', async () => {
    const service = await startAcme({ elementNames: {} });
    const report = await check(service, { easySignPath: service.mainPath });
    expect(stepOf(report, 'easy-sign')).toMatchObject({ result: 'failed', proposal: 'check-easy-sign-path' });
  });
});

/** A service whose answers `answer` determines by operation, in the SOAP version of the request. */
async function startOther(answer: (operation: string, body: string, type: string) => string): Promise<Place> {
  const server: Server = createServer(async (asked, out) => {
    if (asked.method === 'GET') return out.writeHead(403).end();
    let body = '';
    for await (const chunk of asked) body += String(chunk);
    const operation = /<(?:\w+:)?Body[^>]*>\s*<(?:\w+:)?(\w+)/.exec(body)?.[1] ?? '';
    const uri = /Envelope xmlns:\w+="([^"]+)"|="(http:\/\/[^"]*envelope\/?)"/.exec(body);
    const type = asked.headers['content-type'] ?? 'text/xml';
    const inner = answer(operation, body, type);
    const isFault = inner.includes(':Fault');
    out.writeHead(isFault ? 500 : 200, { 'content-type': type.split(';')[0] });
    const envelope = type.startsWith('application')
      ? 'http://www.w3.org/2003/05/soap-envelope'
      : (uri?.[2] ?? 'http://schemas.xmlsoap.org/soap/envelope/');
    out.end(`<s:Envelope xmlns:s="${envelope}"><s:Body>${inner}</s:Body></s:Envelope>`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    baseUrl,
    mainPath: '/a.asmx',
    easySignPath: '/e.asmx',
    namespaceUri: ns,
    apiKey: 'key-12345',
    apiSig: 'sig-12345',
  };
}

const ns = 'https://acme.example/ns/';
const reply = (operation: string, inner: string) =>
  `<${operation}Response xmlns="${ns}">${inner}</${operation}Response>`;
const result = (operation: string, text: string) =>
  reply(operation, `<${operation}Result>${text}</${operation}Result>`);
const fault = (text: string) => `<s:Fault><faultcode>s:Client</faultcode><faultstring>${text}</faultstring></s:Fault>`;

describe('other services', () => {
  it('are unclear, not passed, if they give the same answer to every question', async () => {
    const service = await startOther((operation) =>
      operation === 'GetESignList'
        ? result(operation, '')
        : operation.startsWith('Get')
          ? result(operation, 'Not Found')
          : fault('no'),
    );
    const report = await check(service);
    expect(brief(report)).toMatchObject({
      status: ['unclear', 'GetDocumentStatus.ServiceDocumentID'],
      'signature-list': ['unclear', 'GetESignList.ListType'],
      'easy-sign': 'unclear',
      credentials: 'unclear',
    });
  });

  it('are unclear if they answer a text without a result element', async () => {
    const report = await check(await startOther((operation) => reply(operation, 'text')));
    expect(brief(report)).toMatchObject({ soap: 'passed', version: 'unclear' });
  });

  it('get a remark if the one result element has another name, which is read all the same', async () => {
    const service = await startOther((operation) =>
      reply(
        operation,
        operation === 'GetESignList'
          ? '<return><item><DocumentName>Lease</DocumentName></item></return>'
          : '<return>text</return>',
      ),
    );
    const report = await check(service);
    const read = (operation: string) => ({
      result: 'unclear',
      note: expect.stringMatching(`return instead of ${operation}Result.*read`),
      proposal: 'read-wsdl',
      elements: [`${operation}.${operation}Result`],
    });
    expect(stepOf(report, 'version')).toMatchObject(read('GetVersion'));
    expect(stepOf(report, 'credentials')).toMatchObject(read('GetAuthToken'));
    expect(stepOf(report, 'status')).toMatchObject(read('GetDocumentStatus'));
    // What is in it is judged as in a result of the right name.
    expect(stepOf(report, 'signature-list')).toMatchObject({
      result: 'failed',
      note: expect.stringContaining('CreatedDate'),
    });
  });

  it('get a remark about an empty list of another name', async () => {
    const report = await check(
      await startOther((operation) =>
        reply(operation, operation === 'GetESignList' ? '<return/>' : '<return>2</return>'),
      ),
    );
    expect(stepOf(report, 'signature-list')).toMatchObject({
      result: 'unclear',
      elements: ['GetESignList.GetESignListResult'],
    });
  });

  it('fail if none of several elements has the name of the result, and the report gives their names', async () => {
    const service = await startOther((operation) => reply(operation, '<Outcome>text</Outcome><Extra>1</Extra>'));
    const report = await check(service);
    expect(stepOf(report, 'version')).toMatchObject({ result: 'failed', elements: ['GetVersion.GetVersionResult'] });
    for (const [step, operation] of [
      ['credentials', 'GetAuthToken'],
      ['status', 'GetDocumentStatus'],
      ['signature-list', 'GetESignList'],
    ] as const)
      expect(stepOf(report, step)).toMatchObject({
        result: 'failed',
        note: expect.stringContaining('Outcome, Extra'),
        elements: [`${operation}.${operation}Result`],
      });
  });

  it.each([
    [
      "The message with Action '' cannot be processed at the receiver, due to a ContractFilter mismatch at the EndpointDispatcher.",
    ],
    ['Unable to handle request without a valid action parameter. Please supply a valid soap action.'],
  ])('fail if they refuse SOAP 1.2 without the action parameter, and the doctor proposes it', async (text) => {
    const twelve = `<s:Fault><s:Code><s:Value>s:Sender</s:Value></s:Code><s:Reason><s:Text xml:lang="en">${text}</s:Text></s:Reason></s:Fault>`;
    const service = await startOther((operation, _body, type) =>
      type.includes('action=') ? result(operation, '2.1') : twelve,
    );
    const report = await check(service, { soapVersion: '1.2' });
    expect(stepOf(report, 'soap')).toMatchObject({ result: 'failed', proposal: 'soap12-action' });
    const only11 = await startOther((operation, _body, type) =>
      type.startsWith('text') ? result(operation, '2.1') : twelve,
    );
    expect(stepOf(await check(only11, { soapVersion: '1.2' }), 'soap')).toMatchObject({
      result: 'failed',
      proposal: 'soap-version',
    });
  });

  // As .asmx and WCF answer: without the right namespace no action is the right one, and no version.
  const words = (action: string) => [
    `Server did not recognize the value of HTTP Header SOAPAction: ${action}.`,
    `The message with Action '${action}' cannot be processed at the receiver, due to a ContractFilter mismatch at the EndpointDispatcher.`,
  ];
  it.each([
    ['Unable to handle request without a valid action parameter. Please supply a valid soap action.', 0],
    [words('')[1] ?? '', 1],
  ] as const)(
    'with another namespace are said to have one, where only that helps (%s)',
    async (withoutAction, which) => {
      const service = await startOther((operation, body, type) => {
        if (body.includes(`"${ns}"`)) return result(operation, '2.1');
        if (type.startsWith('text')) return fault(words('urn:wrong/GetVersion')[which] ?? '');
        const text = type.includes('action=') ? words('urn:wrong/GetVersion')[which] : withoutAction;
        return `<s:Fault><s:Code><s:Value>s:Sender</s:Value></s:Code><s:Reason><s:Text xml:lang="en">${text}</s:Text></s:Reason></s:Fault>`;
      });
      const wrong = await check({ ...service, namespaceUri: 'urn:wrong/' }, { soapVersion: '1.2' });
      expect(stepOf(wrong, 'soap')).toMatchObject({ result: 'failed', proposal: 'check-namespace' });
      expect(stepOf(wrong, 'soap')?.failure?.detail).not.toBe('soap-action-missing');
      expect(stepOf(await check(service, { soapVersion: '1.2' }), 'soap')?.result).toBe('passed');
    },
  );

  it.each([
    'Cannot find dispatch method for {urn:wrong/}GetVersion',
    'The endpoint reference (EPR) for the Operation not found is /a',
    'Message part {urn:wrong/}GetVersion was not recognized.  (Does it exist in service WSDL?)',
    "Method 'GetVersion' not implemented: method name or namespace not recognized",
  ])('that say %s are asked for their namespace', async (text) => {
    const service = await startOther(() => fault(text));
    expect(stepOf(await check(service), 'version')).toMatchObject({ result: 'failed', proposal: 'check-namespace' });
  });

  it('that send single bytes are abandoned at the limit of a step', async () => {
    const timers = new Set<NodeJS.Timeout>();
    const server = createServer((_asked, out) => {
      out.writeHead(200, { 'content-type': 'text/xml' });
      timers.add(setInterval(() => out.write(' '), 20));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ends.push(() => {
      for (const timer of timers) clearInterval(timer);
      server.close();
      server.closeAllConnections();
    });
    const { connections } = await core.must('connections.state', {});
    const [connection] = connections;
    if (!connection) throw new Error('no connection');
    const target = targetFor(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
      timeouts: { connectMs: 5000, idleMs: 5000, answerMs: 5000 },
    });
    const begun = performance.now();
    const report = await examine(
      { connection, target, credentials: async () => null },
      {
        log: { info: () => undefined, error: () => undefined },
        policy: noPolicyState,
        redact: (text) => text,
        program: 'test',
        onSteps: () => undefined,
        stepMs: 300,
      },
    );
    expect(stepOf(report, 'soap')).toMatchObject({ result: 'failed', failure: { detail: 'no-answer-in-time' } });
    expect(stepOf(report, 'easy-sign')).toMatchObject({ result: 'failed', failure: { detail: 'no-answer-in-time' } });
    expect(performance.now() - begun).toBeLessThan(5000);
  });
});
