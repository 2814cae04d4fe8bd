import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { I18nProvider } from 'react-aria-components';
import { createRoot, type Root } from 'react-dom/client';
import { I18nextProvider } from 'react-i18next';
import type { AppInfo } from '../../../contract/app.ts';
import { type Connection, connectionSettings } from '../../../contract/connections.ts';
import { LiveProvider } from '../../../renderer/bridge/live.tsx';
import { SelectionProvider } from '../../../renderer/features/files/selection.tsx';
import { UndoProvider } from '../../../renderer/features/undo.tsx';
import { Announcer } from '../../../renderer/parts/announcer.tsx';
import { Navigation, type Route } from '../../../renderer/parts/navigation.tsx';
import { defaultPreferences } from '../../harness/default-preferences.ts';
import { noPolicyState } from '../../harness/no-policy.ts';
import { peer } from './core-peer.ts';
import { textsIn } from './texts.ts';

export const connection: Connection = {
  ...connectionSettings.parse({
    name: 'Practice',
    baseUrl: 'http://127.0.0.1:9',
    mainPath: '/api.asmx',
    namespaceUri: 'https://practice.example/ns/',
  }),
  id: 'practice',
  kind: 'practice',
  credentials: 'this-run',
  proxyLogin: null,
  clientCertificate: null,
};

const info: AppInfo = {
  version: '0.0.0',
  host: 'desktop',
  installation: 'source',
  hasTray: true,
  preferences: { ...defaultPreferences, theme: 'light', language: 'en', notifications: false },
  policy: noPolicyState,
  log: { level: 'info', until: null },
  notices: [],
};

const shown: { readonly root: Root; readonly box: HTMLElement }[] = [];

/** A piece of the window and where it wanted to go. */
export interface Shown {
  readonly box: HTMLElement;
  readonly gone: readonly Route[];
  /** Draws something else in the same place: what is kept in the piece stays. */
  draw(piece: ReactNode): void;
}

/** Draws a piece with texts alone: for what asks nothing of the core. */
export function showPart(piece: ReactNode, language = 'en'): Shown {
  const gone: Route[] = [];
  const box = document.body.appendChild(document.createElement('div'));
  const root = createRoot(box);
  const texts = textsIn(language);
  const draw = (inner: ReactNode) =>
    root.render(
      <I18nextProvider i18n={texts}>
        <I18nProvider locale={language}>
          <Announcer>
            <Navigation go={(place) => void gone.push(place)}>{inner}</Navigation>
          </Announcer>
        </I18nProvider>
      </I18nextProvider>,
    );
  draw(piece);
  shown.push({ root, box });
  return { box, gone, draw };
}

/** Draws a piece of a screen with the window's state around it, before a core with one connection. */
export function showScreen(
  piece: ReactNode,
  host: AppInfo['host'] = 'desktop',
  policy = noPolicyState,
  language = 'en',
): Shown {
  peer.answer({
    'app.info': async () => ({ ...info, host, policy }),
    'connections.state': async () => ({
      connections: [connection],
      health: {},
      currentId: connection.id,
      offeredId: null,
    }),
    'team.state': async () => ({ links: [] }),
    'team.shared': async () => [],
  });
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } });
  const around = (inner: ReactNode) => (
    <QueryClientProvider client={queries}>
      <LiveProvider waiting={null} failed={(failure) => <p>{failure.note}</p>}>
        <SelectionProvider onArrival={() => undefined}>
          <UndoProvider>
            <main tabIndex={-1}>{inner}</main>
          </UndoProvider>
        </SelectionProvider>
      </LiveProvider>
    </QueryClientProvider>
  );
  const screen = showPart(around(piece), language);
  return { ...screen, draw: (inner) => screen.draw(around(inner)) };
}

/** Takes everything off the page that was drawn. */
export async function removeAll(): Promise<void> {
  for (const { root, box } of shown.splice(0)) {
    root.unmount();
    box.remove();
  }
  // What a piece does when it is taken away is part of its test.
  await new Promise((resolve) => setTimeout(resolve));
}
