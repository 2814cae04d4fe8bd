import { describe, expect, it } from 'vitest';
import type { FileToken } from '../../contract/files.ts';
import { mergeFiles } from '../../renderer/features/files/dropped.ts';

const taken = (token: string, source: string): FileToken => ({ token, source, name: `${source}.pdf`, isFolder: false });
const tokens = (files: readonly FileToken[]) => files.map(({ token }) => token);

describe('files that are taken while others are shown', () => {
  it('stand below them', () => {
    expect(tokens(mergeFiles([taken('1', 'a')], [taken('2', 'b'), taken('3', 'c')]))).toEqual(['1', '2', '3']);
  });

  it('stand in the place of the same file, once, so that they are read anew', () => {
    const shown = [taken('1', 'a'), taken('2', 'b')];
    expect(tokens(mergeFiles(shown, [taken('3', 'a')]))).toEqual(['3', '2']);
  });

  it('are all kept where one drop holds two of the same name and bytes, and the drop once more doubles neither', () => {
    const first = mergeFiles([], [taken('1', 'a'), taken('2', 'a')]);
    expect(tokens(first)).toEqual(['1', '2']);
    expect(tokens(mergeFiles(first, [taken('3', 'a'), taken('4', 'a')]))).toEqual(['3', '4']);
  });
});
