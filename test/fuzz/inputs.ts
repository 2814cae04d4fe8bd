import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Excel from '@e965/xlsx';
import { z } from 'zod';
import { connectionSettings } from '../../contract/connections.ts';
import { type CallName, calls, type Handlers } from '../../contract/index.ts';
import { appError } from '../../electron/core/foundation/app-error.ts';
import { tableOf } from '../../electron/core/output/tables/read-table.ts';
import { createCallRouter } from '../../electron/core/router/call-router.ts';
import { openPolicy } from '../../electron/core/settings/policy.ts';
import { openSettingsFile } from '../../electron/core/settings/settings-file.ts';
import { readWsdlBytes } from '../../electron/soap/wsdl/read-wsdl.ts';
import { assetsDir, noPolicySource } from '../harness/core.ts';
import { defaultPreferences } from '../harness/default-preferences.ts';
import { damaged, encodedAs, mutatedJson, mutatedXml } from './mutate.ts';
import type { Random } from './random.ts';

const wsdls = ['practice-main', 'practice-easy-sign'].map((name) =>
  readFileSync(join(assetsDir, 'wsdl', `${name}.wsdl`), 'utf8'),
);

/** A changed WSDL. */
export function fuzzWsdl(random: Random): void {
  readWsdlBytes(
    encodedAs(mutatedXml(random.one(wsdls), random), random),
    random.one([null, null, 'utf-8', 'utf-16', 'x']),
  );
}

const rows = [
  ['E-mail', 'Name'],
  ['ana@example.com', 'Ana, "A"'],
  ['bo@example.com', 'Bo'],
];
const xlsx = Excel.write(
  { SheetNames: ['a'], Sheets: { a: Excel.utils.aoa_to_sheet(rows) } },
  { type: 'buffer', bookType: 'xlsx', compression: true },
) as Buffer;
const cells = ['a', '"', '""', ',', ';', '\t', '\n', '\r', '\0', 'sep=,\n', '\ufeff', '=1+1', 'x'.repeat(5_000)];

/** A changed table: CSV of any cells, or XLSX with damaged bytes. */
export async function fuzzTable(random: Random): Promise<void> {
  const text = Array.from({ length: random.below(60) }, () => random.one(cells)).join('');
  const bytes = random.chance(2) ? encodedAs(text, random) : damaged(damaged(Buffer.from(xlsx), random, 1), random, 2);
  await tableOf(bytes, 'en');
}

const names = Object.keys(calls) as CallName[];
const schemas = new Map(
  names.map((name) => [name, z.toJSONSchema(calls[name].input, { io: 'input', unrepresentable: 'any' })]),
);
const handlers = Object.fromEntries(names.map((name) => [name, async () => null])) as unknown as Handlers;
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const router = createCallRouter(handlers, silent, (text) => text);

type Schema = { [key: string]: unknown };

/** A value that fits a JSON schema, roughly: the mutations are about where it does not. */
function fitting(schema: Schema, random: Random, depth = 0): unknown {
  if (depth > 6) return null;
  const alternatives = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
  if (alternatives) return fitting(random.one(alternatives), random, depth + 1);
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum)) return random.one(schema.enum);
  if (schema.type === 'object') {
    const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
    return Object.fromEntries(properties.map(([name, one]) => [name, fitting(one, random, depth + 1)]));
  }
  if (schema.type === 'array')
    return Array.from({ length: random.below(3) }, () => fitting((schema.items ?? {}) as Schema, random, depth + 1));
  if (schema.type === 'integer' || schema.type === 'number') return random.one([0, 1, -1, 500, 2 ** 31, 0.5]);
  if (schema.type === 'boolean') return random.chance(2);
  return random.one([
    '',
    'a',
    '6f9619ff-8b86-d011-b42d-00cf4fc964ff',
    'http://127.0.0.1:1',
    '2026-11-21T03:20:22Z',
    '\u202e',
    'x'.repeat(3_000),
  ]);
}

/** The input of any call, changed, through the router as from a window. A call never rejects, and only the input may be wrong. */
export async function fuzzCall(random: Random): Promise<void> {
  const name = random.one(names);
  const input = mutatedJson(fitting(schemas.get(name) as Schema, random), random);
  const answer = await router(
    (random.chance(50) ? random.one<unknown>(['__proto__', '', 'x', 1, null]) : name) as string,
    input,
  );
  if (!answer.ok) throw appError(answer.failure.code, answer.failure.note);
}

const folder = mkdtempSync(join(tmpdir(), 'sealdesk-fuzz-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const goodSettings = { version: 1, preferences: defaultPreferences, tourOffered: true };
const goodConnection = connectionSettings.parse({
  name: 'a',
  baseUrl: 'https://a.example',
  mainPath: '/a',
  namespaceUri: 'urn:a',
});

/** The settings file as a person or another version may have left it, or a stored connection. */
export async function fuzzSettings(random: Random): Promise<void> {
  if (random.chance(2)) return void connectionSettings.safeParse(mutatedJson(goodConnection, random));
  const text = JSON.stringify(mutatedJson(goodSettings, random));
  writeFileSync(join(folder, 'settings.json'), damaged(Buffer.from(text), random));
  const { setAside } = await openSettingsFile(folder, silent, await openPolicy(noPolicySource, silent));
  if (setAside) rmSync(join(folder, setAside), { force: true });
}
