import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { packageTestLength } from '../../../scripts/package/test-length.mjs';

describe('the packages are tested at full length', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'package-test-length-'));
    git('init', '--quiet', '--initial-branch=main');
    commit('electron-builder.yml', 'docs/glossary.md', 'scripts/package/build.mjs');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function git(...words: string[]): string {
    const person = ['-c', 'user.name=A', '-c', 'user.email=a@example.org', '-c', 'protocol.file.allow=always'];
    return execFileSync('git', [...person, ...words], { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
  }
  function write(name: string): void {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), `${Math.random()}\n`);
  }
  function commit(...names: string[]): void {
    for (const name of names) write(name);
    git('add', '.');
    git('commit', '--quiet', '-m', names.join());
  }
  const isFull = (length = 'ci') => packageTestLength(length, folder).isFull;

  it.each(['electron-builder.yml', 'package-lock.json', 'scripts/package/new.mjs', 'assets/installer/one.sh'])(
    'in a run before a change is taken that changes %s',
    (name) => {
      commit(name);
      expect(isFull()).toBe(true);
    },
  );

  it('not where only other files changed', () => {
    commit('docs/glossary.md', 'electron/core/new.ts');
    expect(isFull()).toBe(false);
  });

  it('where the change is not committed yet, or the file is new', () => {
    commit('docs/glossary.md');
    write('scripts/package/build.mjs');
    expect(isFull()).toBe(true);
    git('checkout', '--', '.');
    expect(isFull()).toBe(false);
    write('scripts/package/new.mjs');
    expect(isFull()).toBe(true);
  });

  it('for every commit since a branch left the main one, and for a merge of it', () => {
    git('switch', '--quiet', '--create', 'branch');
    commit('electron-builder.yml');
    commit('docs/glossary.md');
    expect(isFull()).toBe(true);
    git('switch', '--quiet', 'main');
    commit('docs/glossary.md');
    expect(isFull()).toBe(false);
    git('merge', '--quiet', '--no-ff', '--strategy-option=ours', 'branch');
    expect(isFull()).toBe(true);
  });

  it('where nobody knows what was before: a first commit, a clone without history, no repository', () => {
    expect(isFull()).toBe(true);
    commit('docs/glossary.md');
    expect(isFull()).toBe(false);
    git('clone', '--quiet', '--depth=1', `file://${folder}`, join(folder, 'shallow'));
    expect(packageTestLength('ci', join(folder, 'shallow')).isFull).toBe(true);
    rmSync(join(folder, '.git'), { recursive: true });
    expect(isFull()).toBe(true);
  });

  it('always before a release, and never where nobody asked for it', () => {
    commit('electron-builder.yml');
    expect(isFull('short')).toBe(false);
    commit('docs/glossary.md');
    expect(isFull('all')).toBe(true);
  });
});
