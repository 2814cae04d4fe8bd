import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { expect, it, onTestFinished } from 'vitest';
import { createRedactor, redactingLog } from '../../electron/core/foundation/redactor.ts';
import { createLogFile } from '../../electron/host-kit/log-file.ts';
import { encodingsOf } from '../harness/encodings.ts';
import { newCore, newFolder } from './jobs-setup.ts';

const secrets = { apiKey: 'kEy-7f3A.b2_9+Zq/44', apiSig: 'sIg~QQ81 "w" & <é> 5' } as const;
const echoed = Object.values(secrets).flatMap((secret) => Object.values(encodingsOf(secret)));
/** UTF-16 as it is has characters that XML does not allow. */
const inXml = echoed.filter((text) => !text.includes('\0'));

/** A service that answers everything with what it was sent, in every encoding: as a fault, as a result, as a page, in headers. */
async function echoingService() {
  let turn = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      turn += 1;
      const body = inXml.map((text) =>
        text.includes('&#') ? text : text.replace(/[&<]/g, (sign) => `&#${sign.charCodeAt(0)};`),
      );
      const fault = `<s:Fault><faultcode>s:${body[turn % body.length]}</faultcode><faultstring>${body.join(' ')}</faultstring></s:Fault>`;
      const result = `<GetVersionResponse xmlns="https://ns.example.org/"><GetVersionResult>${body.join(' ')}</GetVersionResult></GetVersionResponse>`;
      const inner = turn % 3 === 0 ? result : fault;
      const envelope = `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>${inner}</s:Body></s:Envelope>`;
      response.statusMessage = 'No';
      response.writeHead(turn % 4 === 3 ? 500 : 200, {
        'Content-Type': turn % 5 === 4 ? 'text/html' : 'text/xml; charset=utf-8',
        'X-Echo': inXml.filter((text) => /^[\x20-\x7e]+$/.test(text)).join(','),
      });
      response.end(envelope);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('lets no secret that a service repeats in any encoding get into failures, the log, the doctor’s report or the report for support', async () => {
  const folder = await newFolder();
  const logFile = join(folder, 'sealdesk.log');
  const core = await newCore({ logFile });
  const { id } = await core.must('connections.save', {
    settings: {
      name: 'Echo',
      baseUrl: await echoingService(),
      mainPath: '/api.asmx',
      namespaceUri: 'https://ns.example.org/',
      proxy: { mode: 'none' },
    },
  });
  await core.must('connections.setCredentials', { id, ...secrets });
  await core.must('connections.use', { id });
  await core.must('diagnostics.setLogLevel', { level: 'debug' });
  const answers: unknown[] = [];
  for (let n = 0; n < 12; n += 1) {
    answers.push(await core.ask('service.version', { connectionId: id }));
    answers.push(await core.ask('documents.status', { connectionId: id, documentId: 'DOC-1' }));
  }
  answers.push(await core.ask('connections.doctor', { id }));
  // The log of a program that broke its rule: whole replies as fields of known names.
  const log = createLogFile(logFile);
  for (const text of echoed) {
    log.error(`a reply: apiKey=${text}`, { code: text, error: text, note: text, apiKey: text, deep: [{ name: text }] });
  }
  for (const line of core.log) await writeFile(logFile, `${line}\n`, { flag: 'a' });

  const report = await core.must('diagnostics.report', {});
  const target = join(folder, 'report.zip');
  core.dialogs.targets.push(target);
  await core.must('diagnostics.save', { id: report.id });
  const zipped = Object.values(unzipSync(await readFile(target))).map((bytes) => strFromU8(bytes));
  const places = { answers: JSON.stringify(answers), log: core.log.join('\n'), zip: zipped.join('\n') };
  const found = Object.entries(places).flatMap(([place, text]) =>
    echoed
      .filter((secret) =>
        [secret, JSON.stringify(secret).slice(1, -1)].some((form) => text.toLowerCase().includes(form.toLowerCase())),
      )
      .map((secret) => `${place}: ${secret}`),
  );
  expect(found).toEqual([]);
  // The replies did arrive, and the log is in the report.
  expect(places.answers).toContain('•••');
  expect(places.zip).toMatch(/request level=debug operation=\w+ ms=\d+/);
});

/** A service that answers everything with these texts, in references where XML needs them, as a fault and as a result in turn. */
async function serviceThatSays(texts: readonly string[]) {
  let turn = 0;
  const said = texts.map((text) => text.replace(/[&<]/g, (sign) => `&#${sign.charCodeAt(0)};`)).join(' ');
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      turn += 1;
      const fault = `<s:Fault><faultcode>s:Server</faultcode><faultstring>${said}</faultstring></s:Fault>`;
      const result = `<GetVersionResponse xmlns="https://ns.example.org/"><GetVersionResult>${said}</GetVersionResult></GetVersionResponse>`;
      response.writeHead(200, { 'Content-Type': 'text/xml; charset=utf-8' });
      response.end(
        `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>${turn % 2 ? fault : result}</s:Body></s:Envelope>`,
      );
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const longest = (seed: string) =>
  createHash('sha512').update(seed).digest('base64').slice(0, 64).padEnd(1_000, `${seed}+/&<w`);
/** Keys that a policy or an intranet issues may be as long as a field allows; others have 64 characters. */
it.each([
  ['six connections whose keys are as long as can be', 6, longest],
  [
    'twenty connections with keys of 64 characters, forty secrets together',
    20,
    (seed: string) => createHash('sha512').update(seed).digest('base64').slice(0, 64),
  ],
])('checks a connection beside %s, and hides them all', async (_what, connections, secretOf) => {
  const [folder, core] = [await newFolder(), await newCore()];
  const keys = Array.from({ length: connections }, (_, at) => ({
    apiKey: secretOf(`key${at}`),
    apiSig: secretOf(`signature${at}`),
  }));
  const all = keys.flatMap(({ apiKey, apiSig }) => [apiKey, apiSig]);
  const baseUrl = await serviceThatSays(all);
  const ids: string[] = [];
  for (const [at, key] of keys.entries()) {
    const { id } = await core.must('connections.save', {
      settings: {
        name: `Office ${at}`,
        baseUrl,
        mainPath: '/api.asmx',
        namespaceUri: 'https://ns.example.org/',
        proxy: { mode: 'none' },
      },
    });
    await core.must('connections.setCredentials', { id, ...key });
    ids.push(id);
  }
  // All keys are read in this run.
  for (const id of ids) await core.ask('service.version', { connectionId: id });
  const begun = process.cpuUsage();
  const answer = await core.ask('connections.doctor', { id: ids[0] ?? '' });
  const logFile = join(folder, 'sealdesk.log');
  const redactor = createRedactor();
  for (const secret of all) redactor.learn(secret);
  const log = redactingLog(createLogFile(logFile), redactor.redact);
  const path = String.raw`C:\Users\n.one\Documents\x64\u1F600\0 files\lease.pdf`;
  for (let line = 0; line < 100; line += 1)
    log.warn(`the file ${path} could not be read`, { path, note: all[line % all.length] ?? '' });
  const { user, system } = process.cpuUsage(begun);
  expect(answer).toMatchObject({ ok: true });
  const places = JSON.stringify(answer) + core.log.join('\n') + (await readFile(logFile, 'utf8'));
  // Also no part of one that would tell most of it.
  expect(all.filter((secret) => places.includes(secret.slice(8, 40)))).toEqual([]);
  expect(places).toContain('•••');
  expect(places).toContain(JSON.stringify(path).slice(1, -1));
  expect((user + system) / 1_000).toBeLessThan(3_000);
});
