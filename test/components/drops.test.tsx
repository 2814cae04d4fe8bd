import type { ReactNode } from 'react';
import { describe, expect, it } from 'vitest';
import { cdp, page, server } from 'vitest/browser';
import type { AppInfo } from '../../contract/app.ts';
import { DropEverywhere } from '../../renderer/app/drop-everywhere.tsx';
import { FailureView } from '../../renderer/bridge/failure-view.tsx';
import { useDropTarget } from '../../renderer/features/files/dropped.ts';
import { useSelection } from '../../renderer/features/files/selection.tsx';
import { peer } from './harness/core-peer.ts';
import { type Shown, showScreen } from './harness/show.tsx';

/** Real files of the project, in a folder of their own. */
const folder = `${server.config.root}/assets/samples`;
const letter = 'letter-of-engagement.pdf';
const certificate = 'delivery-certificate.pdf';

interface Dragged {
  readonly items?: readonly { readonly mimeType: string; readonly data: string }[];
  readonly files?: readonly string[];
}

/** What a file manager or another program does over the window, by way of the browser's own drag and drop. */
async function drag(type: 'dragEnter' | 'dragOver' | 'drop', dragged: Dragged, at = { x: 300, y: 300 }) {
  // Tests are in a frame of the page that the browser knows.
  const frame = window.frameElement?.getBoundingClientRect() ?? { x: 0, y: 0 };
  const session = cdp() as unknown as { send(method: string, params: unknown): Promise<unknown> };
  await session.send('Input.dispatchDragEvent', {
    type,
    x: frame.x + at.x,
    y: frame.y + at.y,
    data: { items: dragged.items ?? [], files: dragged.files ?? [], dragOperationsMask: 1 },
  });
}

async function drop(dragged: Dragged) {
  await drag('dragEnter', dragged);
  await drag('dragOver', dragged);
  await drag('drop', dragged);
}

/** A screen that takes single PDFs itself. */
function TakesOnePdf(props: { readonly onTaken: (names: readonly string[]) => void }) {
  useDropTarget(({ count, types }) => {
    if (types.includes('text/csv')) return null;
    if (count > 1) return { text: 'One at a time' };
    return {
      text: 'Drop to use as the document',
      note: 'At once',
      take: ({ files }) => props.onTaken(files.map(({ name }) => name)),
    };
  });
  return null;
}

/** Something of a screen: what is in hand, and what could not be taken. */
function InHand() {
  const { tokens, rejected, taking } = useSelection();
  return (
    <div style={{ blockSize: 600, background: 'white' }}>
      <button type="button" style={{ position: 'absolute', insetInlineStart: 500, insetBlockStart: 300 }}>
        Another element
      </button>
      <ul aria-label="In hand">
        {tokens.map((token) => (
          <li key={token.token}>{token.name}</li>
        ))}
      </ul>
      {rejected.map(({ name, failure }) => (
        <FailureView key={name} failure={failure} subject={name} />
      ))}
      {taking ? <p>taking</p> : null}
    </div>
  );
}

describe('files that are dropped anywhere in the window', () => {
  const overlay = page.getByText('Nothing is sent yet');
  const names = () =>
    page
      .getByRole('listitem')
      .elements()
      .map(({ textContent }) => textContent)
      .toSorted();
  let shown: Shown;
  async function open(host: AppInfo['host'] = 'desktop', screen: ReactNode = null) {
    const inside = (
      <>
        <InHand />
        {screen}
        <DropEverywhere />
      </>
    );
    shown = showScreen(inside, host);
    await expect.element(page.getByRole('list', { name: 'In hand' })).toBeInTheDocument();
  }

  it('shows where a file can be dropped as long as it is held over the window, whatever it is moved over', async () => {
    await open();
    const dragged = { files: [`${folder}/${letter}`] };
    await drag('dragEnter', dragged);
    await drag('dragOver', dragged);
    await expect.element(overlay).toBeVisible();
    await drag('dragOver', dragged, { x: 520, y: 310 });
    await drag('dragOver', dragged, { x: 20, y: 20 });
    await expect.element(overlay).toBeVisible();
    // The browser's own leaving cannot be asked for from outside: the last of its events is made here.
    const held = new DataTransfer();
    held.items.add(new File(['%PDF-1.7'], letter));
    document.body.dispatchEvent(new DragEvent('dragleave', { bubbles: true, dataTransfer: held }));
    await expect.element(overlay).not.toBeInTheDocument();
    expect(names()).toEqual([]);
    expect(shown.gone).toEqual([]);
  });

  it('takes one file, shows Start and puts the overlay away', async () => {
    await open();
    await drop({ files: [`${folder}/${letter}`] });
    await expect.poll(names).toEqual([letter]);
    await expect.element(overlay).not.toBeInTheDocument();
    expect(shown.gone).toEqual([{ screen: 'start' }]);
  });

  it('takes several files, and the same ones once', async () => {
    const taken: string[] = [];
    peer.takes(async (file) => {
      taken.push(file.name);
      return { ok: true, value: { token: `${taken.length}`, source: file.name, name: file.name, isFolder: false } };
    });
    await open();
    const both = { files: [`${folder}/${letter}`, `${folder}/${certificate}`] };
    await drop(both);
    await expect.poll(names).toEqual([certificate, letter]);
    await drop(both);
    await expect.poll(() => taken.length).toBe(4);
    expect(shown.gone).toHaveLength(2);
    await expect.element(page.getByText('taking')).not.toBeInTheDocument();
    expect(names()).toEqual([certificate, letter]);
  });

  it('keeps the order of the drop, however long each file takes', async () => {
    peer.takes(async (file) => {
      if (file.name === letter) await new Promise((resolve) => setTimeout(resolve, 150));
      return { ok: true, value: { token: file.name, source: file.name, name: file.name, isFolder: false } };
    });
    await open();
    await drop({ files: [`${folder}/${letter}`, `${folder}/${certificate}`] });
    const inOrder = () =>
      page
        .getByRole('listitem')
        .elements()
        .map(({ textContent }) => textContent);
    await expect.poll(inOrder).toEqual([letter, certificate]);
  });

  it('gives a folder to the desktop as a whole', async () => {
    await open('desktop');
    await drop({ files: [folder] });
    await expect.poll(names).toEqual(['samples']);
  });

  it('takes the files of a folder one by one where the host knows no paths', async () => {
    await open('preview');
    await drop({ files: [folder] });
    await expect.poll(names).toEqual([certificate, letter]);
  });

  it('leaves text that is dragged over the window alone', async () => {
    await open();
    const text = { items: [{ mimeType: 'text/plain', data: 'Lease 2027' }] };
    await drag('dragEnter', text);
    await drag('dragOver', text);
    expect(overlay.elements()).toEqual([]);
    await drag('drop', text);
    expect(names()).toEqual([]);
    expect(shown.gone).toEqual([]);
  });

  it('does not let the browser open what it cannot take', async () => {
    await open();
    const transfer = new DataTransfer();
    transfer.setData('text/uri-list', 'https://service.example/');
    const event = { bubbles: true, cancelable: true, dataTransfer: transfer };
    const over = new DragEvent('dragover', event);
    const dropped = new DragEvent('drop', event);
    document.body.dispatchEvent(over);
    document.body.dispatchEvent(dropped);
    expect([over.defaultPrevented, dropped.defaultPrevented]).toEqual([true, true]);
    expect(shown.gone).toEqual([]);
  });

  it('names a file that cannot be taken, with the reason, and takes the others', async () => {
    peer.takes(async (file) =>
      file.name === letter
        ? { ok: false, failure: { code: 'file-unreadable', detail: 'file-denied', note: 'EACCES', retryable: false } }
        : { ok: true, value: { token: 'one', source: 'one', name: file.name, isFolder: false } },
    );
    await open();
    await drop({ files: [`${folder}/${letter}`, `${folder}/${certificate}`] });
    await expect.poll(names).toEqual([certificate]);
    await expect.element(page.getByText(/letter-of-engagement\.pdf.*No permission to open this file/)).toBeVisible();
  });

  it('says before they are let go how many files it will select', async () => {
    await open();
    const both = { files: [`${folder}/${letter}`, `${folder}/${certificate}`] };
    await drag('dragEnter', both);
    await expect.element(page.getByText('Drop to select 2 files')).toBeVisible();
    await drag('drop', both);
    await expect.poll(names).toEqual([certificate, letter]);
  });

  it('leaves files to the screen that takes them, and others to the chooser, and says which before', async () => {
    const taken: (readonly string[])[] = [];
    await open('desktop', <TakesOnePdf onTaken={(names) => taken.push(names)} />);
    const one = { files: [`${folder}/${letter}`] };
    const both = { files: [`${folder}/${letter}`, `${folder}/${certificate}`] };
    await drag('dragEnter', one);
    await expect.element(page.getByText('Drop to use as the document')).toBeVisible();
    await expect.element(page.getByText('At once')).toBeVisible();
    await drag('drop', one);
    await expect.poll(() => taken).toEqual([[letter]]);
    expect(shown.gone).toEqual([]);
    expect(names()).toEqual([]);
    await drag('dragEnter', both);
    await expect.element(page.getByText('One at a time')).toBeVisible();
    await drag('drop', both);
    await expect.poll(names).toEqual([certificate, letter]);
    expect(shown.gone).toEqual([{ screen: 'start' }]);
    expect(taken).toHaveLength(1);
  });

  it('takes files that are pasted', async () => {
    await open();
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File(['%PDF-1.7'], 'Attachment ä.pdf', { type: 'application/pdf' }));
    document.body.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData }));
    await expect.poll(names).toEqual(['Attachment ä.pdf']);
    expect(shown.gone).toEqual([{ screen: 'start' }]);
  });
});
