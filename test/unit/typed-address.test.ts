import { describe, expect, it } from 'vitest';
import { type ConnectionDraft, newDraft } from '../../renderer/screens/connections/connection-draft.ts';
import { addressOf, isIncomplete, typedAddress, withAddress } from '../../renderer/screens/connections/use-address.ts';

/** Base address, main path and Easy Sign path after typing addresses one after the other. */
function typed(...texts: readonly string[]) {
  const { baseUrl, mainPath, easySignPath } = texts.reduce<ConnectionDraft>((draft, text) => {
    const address = typedAddress(text);
    if (!address) throw new Error(`not usable: ${text}`);
    return withAddress(draft, address);
  }, newDraft);
  return [baseUrl, mainPath, easySignPath];
}

const usual = newDraft.easySignPath;

describe('an address that a person types', () => {
  it('is taken apart into base address, main path and Easy Sign path', () => {
    expect(typed('https://service.example')).toEqual(['https://service.example', '/', usual]);
    expect(typed('service.example/app/')).toEqual(['https://service.example/app', '/', usual]);
    expect(typed(' https://service.example:8443/V2/api.asmx ')).toEqual([
      'https://service.example:8443',
      '/V2/api.asmx',
      usual,
    ]);
    expect(typed(`https://service.example/app${usual}`)).toEqual(['https://service.example/app', '/', usual]);
  });

  it('gives the same parts whichever of both addresses comes first', () => {
    const [main, easySign] = ['https://a.example/app/api.asmx', `https://a.example/app${usual}`];
    const parts = ['https://a.example/app', '/api.asmx', usual];
    expect(typed(main, easySign)).toEqual(parts);
    expect(typed(easySign, main)).toEqual(parts);
  });

  it('of Easy Sign beside the folder of the main path keeps both paths whole', () => {
    const easySign = `/other${usual}`;
    expect(typed('https://a.example/app/api.asmx', `https://a.example${easySign}`)).toEqual([
      'https://a.example',
      '/app/api.asmx',
      easySign,
    ]);
  });

  it('keeps no path of another host', () => {
    expect(typed('https://a.example/app/api.asmx', 'https://b.example/x.asmx')[0]).toBe('https://b.example');
  });

  it.each([
    'https://a.example',
    'https://a.example/app',
    'https://a.example/api.asmx',
    'https://a.example/app/V2/api.asmx',
  ])('%s is shown again as a whole', (text) => {
    const address = typedAddress(text);
    expect(address && addressOf(withAddress(newDraft, address))).toBe(text);
  });

  it('of another host before the main path keeps that path once', () => {
    const draft = { ...newDraft, baseUrl: 'https://a.example', mainPath: '/service' };
    const address = typedAddress(addressOf(draft).replace('a.example', 'b.example/app'));
    expect(address && withAddress(draft, address)).toMatchObject({
      baseUrl: 'https://b.example/app',
      mainPath: '/service',
    });
  });

  it.each([
    ['', true],
    ['https://', true],
    [' http:', true],
    ['https://a', false],
    ['ftp://', false],
  ])('%j without a computer is incomplete: %s', (text, expected) => {
    expect(isIncomplete(text)).toBe(expected);
  });

  it.each([
    ['https://a.example/api.asmx?wsdl', 'https://a.example/api.asmx?wsdl'],
    ['https://a.example/api.asmx?WSDL', 'https://a.example/api.asmx?WSDL'],
    ['a.example/api.svc?singleWsdl', 'https://a.example/api.svc?singleWsdl'],
    ['https://a.example/files/api.wsdl', 'https://a.example/files/api.wsdl'],
    ['https://a.example/api.asmx', null],
  ])('%s is a WSDL at %s', (text, wsdl) => {
    expect(typedAddress(text)?.wsdl).toBe(wsdl);
  });

  it.each([
    ['https://a.example/x/api.asmx?op=GetVersion', 'https://a.example/x/api.asmx', '/x/api.asmx'],
    ['a.example/api.asmx?OP=', 'https://a.example/api.asmx', '/api.asmx'],
    ['https://a.example/my service/api.asmx', 'https://a.example/my%20service/api.asmx', '/my%20service/api.asmx'],
    ['https://a.example/my service.asmx?wsdl', 'https://a.example/my%20service.asmx?wsdl', '/my%20service.asmx'],
    ['https://a.example/api.asmx', null, '/api.asmx'],
  ])('%s is used as %s', (text, cleaned, path) => {
    expect(typedAddress(text)).toMatchObject({ cleaned, path });
  });

  it.each([
    '',
    'not an address',
    'https://not a.example/x',
    'https://a.example/x?y z',
    'ftp://a.example',
    'https://user@a.example',
    'https://a.example/x?y',
    'https://a.example/#x',
  ])('%j is left as it is', (text) => {
    expect(typedAddress(text)).toBeNull();
  });
});
