import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningCore, startCore } from '../harness/core.ts';

let core: RunningCore;
let folder: string;
beforeAll(async () => {
  core = await startCore();
  folder = await mkdtemp(join(tmpdir(), 'sealdesk-wsdl-'));
});
afterAll(async () => {
  await core.stop();
  await rm(folder, { recursive: true });
});

const fromFile = async (text: string | Uint8Array) => {
  const path = join(folder, 'service.wsdl');
  await writeFile(path, text);
  return await core.ask('connections.readWsdl', { token: (await core.core.acceptPath(path)).token });
};

describe('a WSDL', () => {
  it('from the practice service fills a connection in, and the connection works', async () => {
    await core.must('service.version', { connectionId: 'practice' });
    const [practice] = (await core.must('connections.state', {})).connections;
    if (!practice) throw new Error('no practice connection');
    const address = `${practice.baseUrl}${practice.mainPath}?wsdl`;
    const proposal = await core.must('connections.readWsdl', { address });
    const { baseUrl, mainPath, namespaceUri } = practice;
    expect(proposal.settings).toMatchObject({ baseUrl, mainPath, namespaceUri });
    expect(proposal.operations).toContain('GetVersion');
    const settings = { name: 'From WSDL', baseUrl, mainPath, namespaceUri, ...proposal.settings };
    const { id } = await core.must('connections.save', { settings });
    expect((await core.must('service.version', { connectionId: id })).raw).toMatch(/\S/);
  });

  it.each([
    ['an image', Buffer.from('89504e470d0a1a0a0000', 'hex')],
    ['a web page', '<!DOCTYPE html><html><body>Welcome</body></html>'],
    ['half of one', '<?xml version="1.0"?><definitions xmlns="http://schemas.xmlsoap.org/wsdl/"><types>'],
    ['another service', '<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" targetNamespace="urn:other"/>'],
    ['one that expands', '<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]><definitions>&c;</definitions>'],
    ['a schema', '<schema xmlns="http://www.w3.org/2001/XMLSchema"/>'],
    ['a giant', Buffer.alloc(6 * 1024 * 1024, 0x20)],
  ])('that is %s is refused with what to do', async (_what, content) => {
    expect(await fromFile(content)).toMatchObject({
      ok: false,
      failure: { code: 'bad-input', detail: 'wsdl-unusable' },
    });
  });

  it('that is empty, gone or a folder is a file that cannot be used', async () => {
    expect(await fromFile('')).toMatchObject({ ok: false, failure: { detail: 'file-empty' } });
    const { token } = await core.core.acceptPath(folder);
    expect(await core.ask('connections.readWsdl', { token })).toMatchObject({
      ok: false,
      failure: { code: 'file-unreadable', detail: 'file-is-folder' },
    });
  });

  it('from an address that is none, or where nothing listens, or that is a web page', async () => {
    for (const address of ['nonsense', 'file:///etc/passwd', 'javascript:alert(1)', 'ftp://host.example/x']) {
      expect(await core.ask('connections.readWsdl', { address })).toMatchObject({
        ok: false,
        failure: { code: 'bad-input', fields: { address: expect.any(String) } },
      });
    }
    const server = createServer((_in, out) => out.setHeader('content-type', 'text/html').end('<html>portal</html>'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/service.asmx?wsdl`;
    expect((await core.ask('connections.readWsdl', { address })).ok).toBe(false);
    server.close();
    server.closeAllConnections();
    expect(await core.ask('connections.readWsdl', { address })).toMatchObject({
      ok: false,
      failure: { code: 'service-unreachable' },
    });
  });
});
