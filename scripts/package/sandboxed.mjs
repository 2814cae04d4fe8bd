import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/**
 * Throws unless every page of the program that was started as `pid` runs in the browser engine’s sandbox: as somebody else than root, in a user namespace that is not ours,
 * with its system calls filtered.
 */
export function checkSandboxed(pid) {
  const pages = descendants(pid).filter((one) => commandLine(one).includes('--type=renderer'));
  if (pages.length === 0) throw new Error('no process of a page was found');
  for (const page of pages) {
    const status = readFileSync(`/proc/${page}/status`, 'utf8');
    const value = (name) => new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1];
    const own = readlinkSync(`/proc/${page}/ns/user`);
    if (value('Uid') === '0') throw new Error('the page runs as root');
    if (own === readlinkSync('/proc/self/ns/user')) throw new Error('the page has no user namespace of its own');
    // 2: a filter.
    if (value('Seccomp') !== '2') throw new Error('the system calls of the page are not filtered');
  }
}

function descendants(pid) {
  const children = new Map();
  for (const name of readdirSync('/proc').filter((one) => /^\d+$/.test(one))) {
    const parent = parentOf(name);
    children.set(parent, [...(children.get(parent) ?? []), name]);
  }
  const found = [];
  for (const open = [String(pid)]; open.length > 0; ) {
    const next = children.get(open.pop()) ?? [];
    found.push(...next);
    open.push(...next);
  }
  return found;
}

/** Null for a process that has ended meanwhile. */
function parentOf(pid) {
  try {
    return /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? null;
  } catch {
    return null;
  }
}

function commandLine(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
