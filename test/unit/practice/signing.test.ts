import { describe, expect, test } from 'vitest';
import { call, type Practice, pdf, practice, type Values } from './practice-client.ts';

interface Entry {
  readonly [field: string]: string;
}

async function list(service: Practice, ListType: number, MaxItems = 0): Promise<Entry[]> {
  const text = (await call(service, 'GetESignList', { ListType, MaxItems })) ?? '';
  return [...text.matchAll(/<ESignList>(.*?)<\/ESignList>/g)].map(([, inner = '']) =>
    Object.fromEntries([...inner.matchAll(/<(\w+)>(.*?)<\/\1>/g)].map(([, name, value]) => [name, value])),
  );
}

function request(service: Practice, values: Values = {}) {
  const all = {
    Document: pdf(),
    creditType: 1,
    Emails: 'ada@example.com;bo@example.com',
    ReqOwnerESign: false,
    OwnerESignFirst: false,
  };
  return call(service, 'AddNewDocumentESign', { ...all, ...values });
}

function easy(service: Practice, values: Values = {}) {
  const all = { Document: pdf(), Emails: 'ada@example.com', ReqOwnerESign: false };
  return call(service, 'AddNewEasySignDocument', { ...all, ...values });
}

describe('requests for signatures', () => {
  test('move between the lists as signers sign, and end in a signed copy', async () => {
    const service = await practice();
    const id =
      (await request(service, {
        DocumentName: 'deed',
        SecretWord: 'heron',
        ReqOwnerESign: true,
        OwnerESignFirst: true,
      })) ?? '';
    expect((await list(service, 1)).map(({ Email }) => Email)).toEqual([
      'bo@example.com',
      'ada@example.com',
      'owner@practice.example',
    ]);
    expect((await list(service, 1, 1))[0]).toMatchObject({
      DocumentName: 'deed',
      SecretWord: 'heron',
      ServiceDocumentID: id.toLowerCase(),
      OrigServiceDocumentID: id.toLowerCase(),
      CreatedDate: expect.stringMatching(/T\d\d:\d\d:\d\d\.\d{7}\+00:00$/),
    });
    await expect(service.control.sign(id, 'ada@example.com')).rejects.toThrow('owner has to sign');
    await service.control.sign(id, 'owner@practice.example');
    await service.control.sign(id, 'ada@example.com');
    expect(await list(service, 2)).toHaveLength(2);
    expect(await call(service, 'GetDocumentStatus', { ServiceDocumentID: id })).toBe('Processing');
    await service.control.sign(id, 'bo@example.com');
    await expect(service.control.sign(id, 'bo@example.com')).rejects.toThrow('signed this document already');
    expect(await list(service, 1)).toEqual([]);
    const signed = await list(service, 2);
    expect(signed).toHaveLength(3);
    expect(signed[0]?.OrigServiceDocumentID).toBe(id.toLowerCase());
    const copy = signed[0]?.ServiceDocumentID ?? '';
    expect(copy).not.toBe(id.toLowerCase());
    expect(await call(service, 'GetDocumentStatus', { ServiceDocumentID: id })).toBe('Completed');
    const bytes = Buffer.from((await call(service, 'GetDocument', { ServiceDocumentID: copy })) ?? '', 'base64');
    expect(bytes.toString('latin1')).toContain(
      '%SealdeskPracticeSigned owner@practice.example ada@example.com bo@example.com',
    );
    expect(await call(service, 'ValidateDocument', { ServiceDocument: bytes })).toBe('Valid');
  });

  test('an unknown list is empty; a long one is complete', async () => {
    const service = await practice();
    service.control.fillESignList(3210);
    expect(await list(service, 7)).toEqual([]);
    const all = await list(service, 1);
    expect(new Set(all.map(({ Email }) => Email)).size).toBe(3210);
  });

  test.each([
    ['nobody', { Emails: '' }, '-123'],
    ['no address', { Emails: 'ada' }, '-153'],
    ['commas between them', { Emails: 'ada@example.com,bo@example.com' }, '-152'],
    ['one bad address among good ones', { Emails: 'ada@example.com;bo@' }, '-152'],
    ['the owner', { Emails: 'Owner@Practice.example' }, '-161'],
    ['no credit type', { creditType: 0 }, '-130'],
  ])('to %s are refused', async (_what, values, code) => {
    expect(await request(await practice(), values)).toBe(code);
  });

  test('cost credits', async () => {
    const service = await practice({ credits: { prepaid: 1, eSign: 1 } });
    expect(await request(service, { creditType: 2 })).toBe('-160');
    expect(await request(service)).toMatch(/^[0-9A-F-]{36}$/);
    expect(await request(service)).toBe('-185');
  });
});

describe('Easy Sign', () => {
  test('answers an ID or the address of a page, as configured', async () => {
    const service = await practice();
    expect(await easy(service)).toMatch(/^[0-9A-F-]{36}$/);
    const template = { TemplateID: 'TPL-1002', Emails: 'ada@example.com' };
    const address = (await call(service, 'AddNewEasySignTemplate', template)) ?? '';
    expect(address).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/sign\/[0-9A-F-]{36}$/);
    const bytes = await call(service, 'GetDocument', { ServiceDocumentID: address.slice(-36) });
    expect(Buffer.from(bytes ?? '', 'base64').toString('latin1')).toContain('(Non-disclosure agreement) Tj');
    service.control.setEasySignAnswer('AddNewEasySignDocument', 'url');
    expect(await easy(service)).toMatch(/^https:/);
  });

  test('stores every child unchanged', async () => {
    const service = await practice();
    const values = {
      XMLData: '<a b="1">ü & co</a>',
      ElementsFromTemplateID: 'TPL-1001',
      UniqueID: 'U-1',
      AllowSignerElementAdd: true,
      AdditionalImage: Buffer.from([1, 2, 3]),
      EnforceSigClick: false,
      MessageToSigners: 'please',
      CustomSubject: 'subject',
      IDVerify: true,
      CCEmails: 'cc@example.com',
    };
    expect(await easy(service, values)).toMatch(/^[0-9A-F-]{36}$/);
    const seen = service.control.seen().at(-1);
    expect(seen?.children).toMatchObject({
      apiKey: '***',
      XMLData: values.XMLData,
      UniqueID: 'U-1',
      AdditionalImage: { sizeBytes: 3 },
      EnforceSigClick: 'false',
      CCEmails: 'cc@example.com',
    });
  });

  test.each([
    ['four signers', { Emails: 'a@example.com;b@example.com;c@example.com;d@example.com' }, '-152'],
    ['fewer names than signers', { Emails: 'a@example.com;b@example.com', Names: 'Ada' }, '-162'],
    ['a bad copy recipient', { CCEmails: 'nobody' }, '-153'],
    ['a template ID of the wrong form', { ElementsFromTemplateID: 'x' }, '-157'],
    ['a template that is not there', { ElementsFromTemplateID: 'TPL-4711' }, '-158'],
    ['a template that is corrupt', { ElementsFromTemplateID: 'TPL-9308' }, '-308'],
  ])('refuses %s', async (_what, values, code) => {
    expect(await easy(await practice(), values)).toBe(code);
  });

  test('needs the add-on, and permission for paid extras', async () => {
    const service = await practice({ credits: { idVerify: 0 } });
    expect(await easy(service, { IDVerify: true })).toBe('-192');
    await service.control.setPermissions({ idVerify: false, placement: false });
    expect(await easy(service, { IDVerify: true })).toBe('-191');
    expect(await easy(service, { XMLData: '<a/>' })).toBe('-193');
    await service.control.setPermissions({ easySign: false });
    expect(await easy(service)).toBe('-180');
  });
});
