import { UsageError } from './output/exit-code.ts';
import { t } from './output/texts.ts';

/** Asks on the terminal without showing the input. Rejects with a UsageError if there is no terminal or Ctrl-C was pressed. */
export async function askHidden(question: string): Promise<string> {
  const { stdin, stderr } = process;
  if (!stdin.isTTY || !stderr.isTTY) throw new UsageError(t('errors.noTerminal'));
  // Before the question, because earlier input would be shown.
  stdin.setRawMode(true);
  stderr.write(question);
  stdin.setEncoding('utf8');
  stdin.resume();
  try {
    return await readLine(stdin);
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    stderr.write('\n');
  }
}

function readLine(stdin: NodeJS.ReadStream): Promise<string> {
  return new Promise((resolve, reject) => {
    let typed = '';
    const onData = (text: string) => {
      for (const character of text) {
        if (character === '\r' || character === '\n') return done(() => resolve(typed));
        if (character === '\u0003' || character === '\u0004')
          return done(() => reject(new UsageError(t('errors.notTyped'))));
        if (character === '\u007f' || character === '\b') typed = typed.slice(0, -1);
        else if (character >= ' ') typed += character;
      }
    };
    const done = (settle: () => void) => {
      stdin.off('data', onData);
      settle();
    };
    stdin.on('data', onData);
  });
}
