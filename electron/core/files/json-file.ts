import type { z } from 'zod';
import { appError } from '../foundation/app-error.ts';
import { asRead } from '../foundation/fs-errors.ts';
import type { LocalFile } from './local-file.ts';
import { readWhole } from './open-file.ts';
import type { Target } from './place-file.ts';
import { saveFile } from './target.ts';

/** Far more than exchanged tables need, which have a few hundred rows. */
const mostBytes = 5 * 1024 * 1024;

/** Reads an untrusted JSON file. Rejects with bad-input (`token`, naming the first value that does not match the schema) and file-unreadable. */
export async function readJsonFile<T>({ path }: Pick<LocalFile, 'path'>, schema: z.ZodType<T>): Promise<T> {
  const bytes = await asRead(readWhole(path, mostBytes));
  if (!bytes) throw unusable('is larger than 5 MB');
  const parsed = schema.safeParse(parse(bytes));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.map(String).join('.').slice(0, 100) ?? '';
  throw unusable(where === '' ? 'is no file of this kind' : `does not fit at ${where}`);
}

export async function writeJsonFile(target: Target, value: unknown): Promise<string> {
  return saveFile(target, [`${JSON.stringify(value, null, 2)}\n`]);
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''));
  } catch {
    throw unusable('is no JSON');
  }
}

function unusable(problem: string) {
  return appError('bad-input', `the file ${problem}`, { fields: { token: problem } });
}
