import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { WsdlProposal } from '../../contract/connections.ts';
import { DropEverywhere } from '../../renderer/app/drop-everywhere.tsx';
import { UndoStrip } from '../../renderer/features/undo.tsx';
import { CredentialsPart } from '../../renderer/screens/connections/access-fields.tsx';
import { CheckResult } from '../../renderer/screens/connections/check-result.tsx';
import { ConnectionsScreen } from '../../renderer/screens/connections/connections-screen.tsx';
import { peer, Refusal } from './harness/core-peer.ts';
import { connection, showPart, showScreen } from './harness/show.tsx';

const proposal: WsdlProposal = {
  settings: { baseUrl: 'https://service.example', mainPath: '/api.asmx', namespaceUri: 'https://service.example/ns/' },
  soapVersions: ['1.1'],
  operations: [],
  missing: [],
  remarks: [],
};
const field = (name: string) => page.getByRole('textbox', { name, exact: true });

describe('the sheet of a connection', () => {
  it('reads a file that was dropped on it', async () => {
    // Before the screen: it reads the file as soon as it is drawn.
    peer.answer({ 'connections.readWsdl': async () => proposal });
    showScreen(<ConnectionsScreen edit="new" wsdl="a-token" team={null} />);
    await expect.element(field('Address or WSDL')).toHaveValue('https://service.example/api.asmx');
    await page.getByRole('button', { name: 'WSDL read' }).click();
    await expect.element(page.getByText(/^From the WSDL: Base address, Main path,? and Namespace/)).toBeVisible();
    expect(peer.asked('connections.readWsdl')).toMatchObject([{ token: 'a-token' }]);
  });

  it('stands in a list that says how many saved ones cannot be read', async () => {
    showScreen(<ConnectionsScreen edit={null} wsdl={null} team={null} />);
    await expect.element(page.getByRole('article', { name: 'Practice' })).toBeVisible();
    expect(page.getByRole('alert').elements()).toEqual([]);
    const state = { connections: [connection], health: {}, currentId: connection.id, offeredId: null };
    peer.send('connections.changed', { ...state, unreadable: 2 });
    await expect.element(page.getByRole('alert').getByText(/^Connections that cannot be read.+: 2$/)).toBeVisible();
  });

  it('says what is lost before credentials are removed, as they cannot be put back', async () => {
    peer.answer({ 'connections.forgetCredentials': async () => null });
    const typed = { apiKey: '', apiSig: '' };
    const given = { isMoved: false, typed, onType: () => undefined, errorAt: () => undefined };
    showScreen(<CredentialsPart {...given} connection={{ ...connection, credentials: 'keychain' }} />);
    await page.getByRole('button', { name: 'Remove credentials' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Remove the credentials of “Practice”?' });
    await expect.element(dialog.getByText(/can neither send nor check/)).toBeVisible();
    expect(peer.asked('connections.forgetCredentials')).toEqual([]);
    await dialog.getByRole('button', { name: 'Remove credentials' }).click();
    await expect.poll(() => peer.asked('connections.forgetCredentials')).toEqual([{ id: connection.id }]);
    await expect.poll(() => dialog.elements()).toEqual([]);
  });

  it.each([
    [[], 'practice', 'Then “Practice” is in use: what you register there reaches no service'],
    [['Branch'], 'Branch', 'Then “Branch” is in use'],
  ] as const)('says before and after it is removed which one is in use then (%j)', async (others, next, words) => {
    const service = (id: string) => ({ ...connection, id, name: id, kind: 'service' as const });
    const connections = [connection, service('Office'), ...others.map(service)];
    peer.answer({ 'connections.remove': async () => ({ removal: 'r' }) });
    showScreen(
      <>
        <UndoStrip />
        <ConnectionsScreen edit={null} wsdl={null} team={null} />
      </>,
    );
    await expect.element(page.getByRole('article', { name: 'Practice' })).toBeVisible();
    peer.send('connections.changed', { connections, health: {}, currentId: 'Office', offeredId: null });
    const card = (name: string) => page.getByRole('article', { name });
    for (const name of [...others, 'Office']) {
      await card(name).getByRole('button', { name: 'More' }).click();
      await page.getByRole('menuitem', { name: 'Remove…' }).click();
      const dialog = page.getByRole('alertdialog', { name: `Remove “${name}”?` });
      await expect.element(dialog).toBeVisible();
      // Another one than that in use changes nothing.
      if (name !== 'Office') expect(dialog.getByText(/in use/).elements()).toEqual([]);
      else await expect.element(dialog.getByText(words, { exact: true })).toBeVisible();
      await dialog.getByRole('button', { name: name === 'Office' ? 'Remove' : 'Cancel' }).click();
    }
    await expect.element(page.getByText(`Removed: Office · ${words}`, { exact: true })).toBeVisible();
    expect(next).not.toBe('Office');
  });

  it('is opened with a WSDL that is dropped on the list, and says so before', async () => {
    const shown = showScreen(
      <>
        <ConnectionsScreen edit={null} wsdl={null} team={null} />
        <DropEverywhere />
      </>,
    );
    await expect.element(page.getByRole('article', { name: 'Practice' })).toBeVisible();
    const held = { bubbles: true, cancelable: true, dataTransfer: new DataTransfer() };
    held.dataTransfer.items.add(new File(['<definitions/>'], 'service.wsdl', { type: 'text/xml' }));
    document.body.dispatchEvent(new DragEvent('dragenter', held));
    await expect.element(page.getByText('Drop to read the WSDL')).toBeVisible();
    document.body.dispatchEvent(new DragEvent('drop', held));
    await expect
      .poll(() => shown.gone)
      .toEqual([{ screen: 'connections', edit: 'new', wsdl: expect.stringMatching(/./) }]);
  });

  it('tries the WSDL where only the path of a service is typed, and is silent if there is none', async () => {
    showScreen(<ConnectionsScreen edit="new" wsdl={null} team={null} />);
    peer.answer({
      'connections.readWsdl': async () => {
        throw new Refusal({ code: 'reply-unreadable', detail: 'wsdl-unusable' });
      },
    });
    await field('Address or WSDL').fill('service.example/app/api.asmx');
    await field('Name').click();
    await expect.element(field('Address or WSDL')).toHaveValue('https://service.example/app/api.asmx');
    expect(peer.asked('connections.readWsdl')).toMatchObject([
      { address: 'https://service.example/app/api.asmx?wsdl' },
    ]);
    await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
  });

  it('takes the address of a test page without its operation, and says what it uses', async () => {
    showScreen(<ConnectionsScreen edit="new" wsdl={null} team={null} />);
    peer.answer({
      'connections.readWsdl': async () => {
        throw new Refusal({ code: 'reply-unreadable', detail: 'wsdl-unusable' });
      },
    });
    await field('Address or WSDL').fill('https://service.example/my app/api.asmx?op=GetVersion');
    await field('Name').click();
    await expect.element(field('Address or WSDL')).toHaveValue('https://service.example/my%20app/api.asmx');
    await expect.element(page.getByText('Used: https://service.example/my%20app/api.asmx.')).toBeVisible();
  });

  it('asks for the address that a WSDL file does not have, and leaves its field empty', async () => {
    const remarks: WsdlProposal['remarks'] = [
      { kind: 'address-unusable', about: 'mainPath', was: '{{address}}', now: '' },
      { kind: 'address-unusable', about: 'easySignPath', was: '{{address}}', now: '' },
    ];
    const { namespaceUri = '' } = proposal.settings;
    peer.answer({ 'connections.readWsdl': async () => ({ ...proposal, settings: { namespaceUri }, remarks }) });
    showScreen(<ConnectionsScreen edit="new" wsdl="a-token" team={null} />);
    await expect
      .element(page.getByText('The WSDL has no usable address. Enter the one you were given.', { exact: true }))
      .toBeVisible();
    await expect.element(field('Address or WSDL')).toHaveValue('');
  });

  it('says after a check what is not confirmed, why, and what to do about it', async () => {
    const step = { note: '', tookMs: 1 } as const;
    const easySign = { step: 'easy-sign', result: 'unclear', proposal: 'ask-about-easy-sign', ...step } as const;
    const report = { steps: [{ step: 'credentials', result: 'passed', ...step } as const, easySign], text: '' };
    const doctor = { steps: report.steps, report, busy: false, failure: null, check: async () => report };
    showPart(<CheckResult name="Office" isInUse doctor={doctor} />);
    const text =
      /^“Office” can be reached. Not confirmed: Easy Sign path. This path answers, but no description .* to yourself.$/;
    await expect.element(page.getByText(text)).toBeVisible();
  });

  it('saves what a person says of the service’s lists', async () => {
    peer.answer({
      'connections.save': async () => connection,
      'connections.use': async () => null,
      'connections.doctor': async () => ({ steps: [], text: '' }),
    });
    showScreen(<ConnectionsScreen edit={connection.id} wsdl={null} team={null} />);
    await page.getByRole('button', { name: 'More', exact: true }).click();
    const meaning = (row: number) => page.getByRole('button', { name: new RegExp(`Lists: Signers, row ${row}$`) });
    await expect.element(meaning(1)).toHaveTextContent('Waiting');
    await meaning(2).click();
    await page.getByRole('option', { name: 'Other' }).click();
    await page.getByRole('button', { name: 'Lists: Add row' }).click();
    await page.getByRole('textbox', { name: 'Lists: Name, row 3' }).fill('Done');
    await expect.element(meaning(3)).toHaveTextContent('Other');
    await meaning(3).click();
    await page.getByRole('option', { name: 'Signed' }).click();
    await page.getByRole('button', { name: /^Save/ }).click();
    await expect
      .poll(() => peer.asked('connections.save')[0]?.settings.lists)
      .toEqual([
        { value: 1, name: 'Out for signature', meaning: 'waiting' },
        { value: 2, name: 'Signed', meaning: 'none' },
        { value: 3, name: 'Done', meaning: 'signed' },
      ]);
  });
});
