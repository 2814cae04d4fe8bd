import { type Failing, failing, failureOf } from './failing.ts';

/** Turns an error of node:fs while reading a file into a Failing; others stay what they are. Paths are not told. */
export function readTrouble(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  if (failureOf(error) || typeof code !== 'string') return error;
  if (code === 'ENAMETOOLONG') return failing('file-unreadable', 'the path is too long', { detail: 'path-too-long' });
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP')
    return failing('file-unreadable', 'the file is not there', { detail: 'file-missing' });
  if (code === 'EACCES' || code === 'EPERM')
    return failing('file-unreadable', 'the file may not be read', { detail: 'file-denied' });
  if (code === 'EBUSY' || code === 'ETXTBSY' || code === 'EAGAIN')
    return failing('file-unreadable', 'another program holds the file', { detail: 'file-locked' });
  if (code === 'EISDIR') return failing('file-unreadable', 'this is a folder', { detail: 'file-is-folder' });
  return writeTrouble(error) ?? failing('file-unreadable', `reading answered ${code}`);
}

/** A full disk, if that is what an error says. */
export function writeTrouble(error: unknown): Failing | null {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG'
    ? failing('storage-full', `writing answered ${code}`)
    : null;
}
