import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What `sealdesk-cli COMMAND --help` prints, by the command; with an empty name what `sealdesk-cli --help` does. */
export type HelpTexts = Readonly<Record<string, string>>;

/** Writes them beside the built command line, which prints them without loading itself (hosts/cli/sealdesk.ts). */
export async function writeHelpTexts(root: string, version: string): Promise<HelpTexts> {
  Object.assign(globalThis, { __VERSION__: version });
  const { allCommands } = await import('../hosts/cli/commands.ts');
  const { readCommandLine } = await import('../hosts/cli/arguments/read-command-line.ts');
  const textOf = async (...words: readonly string[]) => {
    const reading = await readCommandLine([...words, '--help']);
    if (reading.kind !== 'text') throw new Error(`no help of ${words.join(' ')}`);
    return reading.text;
  };
  const texts: Record<string, string> = { '': await textOf() };
  for (const { name } of await allCommands()) texts[name] = await textOf(name);
  writeFileSync(join(root, 'dist', 'cli', 'help.json'), JSON.stringify(texts));
  return texts;
}
