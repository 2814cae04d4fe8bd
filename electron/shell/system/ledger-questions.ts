import { app, dialog } from 'electron';
import type { Failure } from '../../../contract/failure.ts';
import type { LedgerQuestions } from '../../core/foundation/ports.ts';
import { dataDirIn } from '../../host-kit/data-dir.ts';
import type { HostTexts } from './host-texts.ts';

/** Asks by a box of the system: there is no window yet. Escape and closing the box mean the first, harmless answer. */
export function askAboutLedger(texts: () => HostTexts): LedgerQuestions {
  return {
    trouble: async (failure, maySetAside) => {
      const { ledger } = texts();
      const { title, text } = ledgerTrouble(failure, texts());
      const answers = ['quit', 'retry', ...(maySetAside ? (['set-aside'] as const) : [])] as const;
      const buttons = [ledger.quit, ledger.retry, ...(maySetAside ? [ledger.startEmpty] : [])];
      const given = await ask({
        type: 'error',
        title,
        text: maySetAside ? `${text}\n\n${ledger.emptyKnows}` : text,
        buttons,
      });
      return answers[given] ?? 'quit';
    },
    mended: async (name) => {
      const { ledger } = texts();
      const { title, text } = ledger.mended(name);
      return (await ask({ type: 'question', title, text, buttons: [ledger.notNow, ledger.takeBack] })) === 1;
    },
  };
}

/** What is wrong, in the person's words. */
export function ledgerTrouble(failure: Failure, texts: HostTexts): { readonly title: string; readonly text: string } {
  const folder = dataDirIn(app.getPath('userData'));
  const { ledger } = texts;
  if (failure.code === 'storage-full') return ledger.full(folder);
  if (failure.code === 'storage-busy') return ledger.busy;
  if (failure.detail === 'database-newer') return ledger.newer(failure.raw ?? null);
  const said = failure.detail === 'database-missing' ? ledger.missing : ledger.damaged;
  return ['database-damaged', 'database-missing'].includes(failure.detail ?? '')
    ? said(folder)
    : texts.cannotStart(folder, failure.note);
}

async function ask(box: {
  readonly type: 'error' | 'question';
  readonly title: string;
  readonly text: string;
  readonly buttons: string[];
}): Promise<number> {
  const { type, title, text, buttons } = box;
  const { response } = await dialog.showMessageBox({
    ...{ type, buttons, title: 'Sealdesk', message: title, detail: text },
    ...{ defaultId: 0, cancelId: 0, noLink: true },
  });
  return response;
}
