import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '../styles/base.css';
import { languageFor } from '../../locales/choose-language.ts';
import { App } from './app.tsx';
import { letEmptyHtmlThrough } from './empty-html.ts';
import { createTexts } from './i18n.ts';

letEmptyHtmlThrough();
const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
// The person's own setting is not known until the core has answered. Not awaited here: files that are loaded later import this one, and would wait for it.
void createTexts(languageFor('system', navigator.languages), navigator.languages).then((texts) =>
  createRoot(root).render(
    <StrictMode>
      <App texts={texts} />
    </StrictMode>,
  ),
);
