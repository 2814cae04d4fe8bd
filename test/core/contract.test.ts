import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { call } from '../../contract/call.ts';
import { askWith, listenWith } from '../../contract/client.ts';
import { connectionSettings } from '../../contract/connections.ts';
import { calls } from '../../contract/index.ts';

type Node = Record<string, unknown>;

/** All strings and arrays without a limit, and all objects that accept unknown keys. */
function openEnds(node: unknown, path: string): string[] {
  if (typeof node !== 'object' || node === null) return [];
  if (Array.isArray(node)) return node.flatMap((inner, index) => openEnds(inner, `${path}[${index}]`));
  const { type, enum: oneOf, const: only, maxLength, maxItems, properties, additionalProperties } = node as Node;
  const here: string[] = [];
  if (type === 'string' && !oneOf && only === undefined && maxLength === undefined) here.push(`${path}: string`);
  if (type === 'array' && maxItems === undefined) here.push(`${path}: array`);
  if (properties && additionalProperties !== false) here.push(`${path}: unknown keys`);
  const inside = Object.entries(node).flatMap(([key, inner]) => openEnds(inner, `${path}/${key}`));
  return [...here, ...inside];
}

describe('the contract', () => {
  it('bounds every string and list and refuses unknown keys', () => {
    for (const [name, { input }] of Object.entries(calls)) {
      const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
      expect(openEnds(schema, name), name).toEqual([]);
    }
  });

  it('makes the schema of a call when it is first asked for, once', () => {
    const made = vi.fn(() => ({ id: z.string().max(5) }));
    const declared = call(made).answers<null>();
    expect(made).not.toHaveBeenCalled();
    expect(declared.input.safeParse({ id: 'a' }).success).toBe(true);
    expect(declared.input.safeParse({ id: 'a', other: 1 }).success).toBe(false);
    expect(made).toHaveBeenCalledOnce();
  });

  it('reads a stored connection without the newer wording settings', () => {
    const kept = {
      name: 'Head office',
      baseUrl: 'https://service.example',
      mainPath: '/v2/api.asmx',
      namespaceUri: 'https://service.example/ns/',
      soapVersion: '1.2',
    };
    expect(connectionSettings.parse(kept)).toMatchObject({
      soapVersion: '1.2',
      easySignSoapVersion: 'main',
      soapAction12: false,
      sendFalse: false,
    });
    for (const maxItems of [-2147483648, -1, 0, 2147483647])
      expect(connectionSettings.parse({ ...kept, maxItems }).maxItems).toBe(maxItems);
    expect(connectionSettings.safeParse({ ...kept, maxItems: 2147483648 }).success).toBe(false);
  });

  it('detects unbounded input', () => {
    const open = z.object({ text: z.string(), list: z.array(z.int()) });
    expect(openEnds(z.toJSONSchema(open, { io: 'input' }), 'open')).toHaveLength(3);
  });

  it('names calls and never probes eval, which a strict content security policy forbids', () => {
    for (const name of Object.keys(calls)) expect(name).toMatch(/^[a-z]+\.[a-z][A-Za-z]+$/);
    expect(z.config().jitless).toBe(true);
  });
});

describe('the typed client', () => {
  it('answers a failure if the bridge itself fails', async () => {
    const ask = askWith({
      call: () => Promise.reject(new Error('the window is gone')),
      onEvent: () => () => undefined,
    });
    expect(await ask('app.info', {})).toMatchObject({ ok: false, failure: { code: 'bug', retryable: false } });
  });

  it('receives only its event, until it unsubscribes', () => {
    const listeners = new Set<(name: string, value: unknown) => void>();
    const listen = listenWith({
      call: () => Promise.reject(new Error('not asked')),
      onEvent: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    });
    const heard: unknown[] = [];
    const stop = listen('files.arrived', (tokens) => heard.push(tokens));
    for (const tell of listeners) tell('app.changed', 'other');
    for (const tell of listeners) tell('files.arrived', []);
    stop();
    expect(heard).toEqual([[]]);
    expect(listeners.size).toBe(0);
  });
});
