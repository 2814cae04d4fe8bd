import { app, dialog } from 'electron';
import type { Failure } from '../../../contract/failure.ts';
import type { LedgerQuestions } from '../../core/foundation/ports.ts';
import { dataDirIn } from '../../host-kit/data-dir.ts';
import type { Texts } from './desktop-texts.ts';

export interface Box {
  readonly title: string;
  readonly text: string;
}

/**
 * Asks in a message box of the system, because there is no window yet. Escape and closing the box choose the first,
 * harmless answer.
 */
export function askAboutLedger(texts: () => Texts): LedgerQuestions {
  return {
    trouble: async (failure, maySetAside) => {
      const t = texts();
      const { title, text } = ledgerTrouble(failure, t);
      const answers = ['quit', 'retry', ...(maySetAside ? (['set-aside'] as const) : [])] as const;
      const buttons = [t('ledger.quit'), t('ledger.retry'), ...(maySetAside ? [t('ledger.startEmpty')] : [])];
      const given = await ask({
        type: 'error',
        title,
        text: maySetAside ? `${text}\n\n${t('ledger.emptyKnows')}` : text,
        buttons,
      });
      return answers[given] ?? 'quit';
    },
    mended: async (name) => {
      const t = texts();
      const title = t('ledger.mended.title');
      const text = t('ledger.mended.text', { name });
      const buttons = [t('ledger.notNow'), t('ledger.takeBack')];
      return (await ask({ type: 'question', title, text, buttons })) === 1;
    },
  };
}

/** The message box for a failure to open the ledger. */
export function ledgerTrouble(failure: Failure, t: Texts): Box {
  const folder = dataDirIn(app.getPath('userData'));
  if (failure.detail === 'database-newer') return newerBox(t, failure.raw ?? null);
  const kind = troubleOf(failure);
  if (kind === null) return cannotStartBox(t, folder, failure.note);
  return { title: t(`ledger.${kind}.title`), text: t(`ledger.${kind}.text`, { folder }) };
}

/** The message box for any other failure. `note`: for support, in English. */
export function cannotStartBox(t: Texts, folder: string, note: string): Box {
  return { title: t('cannotStart.title'), text: t('cannotStart.text', { folder, note }) };
}

function troubleOf({ code, detail }: Failure): 'full' | 'busy' | 'missing' | 'damaged' | null {
  if (code === 'storage-full') return 'full';
  if (code === 'storage-busy') return 'busy';
  if (detail === 'database-missing') return 'missing';
  return detail === 'database-damaged' ? 'damaged' : null;
}

/** The message box for a ledger of a newer program. `version`: the program version needed, if known. */
function newerBox(t: Texts, version: string | null): Box {
  const text = version === null ? t('ledger.newer.anyText') : t('ledger.newer.text', { version });
  return { title: t('ledger.newer.title'), text };
}

async function ask(box: Box & { readonly type: 'error' | 'question'; readonly buttons: string[] }): Promise<number> {
  const { type, title, text, buttons } = box;
  const { response } = await dialog.showMessageBox({
    type,
    buttons,
    title: 'Sealdesk',
    message: title,
    detail: text,
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  });
  return response;
}
