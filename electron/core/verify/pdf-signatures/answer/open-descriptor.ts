import { fstatSync, readSync } from 'node:fs';
import type { OpenFile } from '../structure/file-window.ts';

/** The caller opened it, and closes it. */
export function openDescriptor(descriptor: number): OpenFile {
  return {
    size: fstatSync(descriptor).size,
    readInto: (target, position) => {
      for (let done = 0; done < target.length; ) {
        const count = readSync(descriptor, target, done, target.length - done, position + done);
        if (count === 0) throw new Error('The file became shorter while it was read.');
        done += count;
      }
    },
  };
}
