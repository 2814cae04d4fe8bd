import { useTranslation } from 'react-i18next';
import { isScreenShortcut, shortcuts } from '../../../contract/shortcuts.ts';
import { useLive } from '../../bridge/live.tsx';
import { combinationsOf, isMac, keysHere } from '../../parts/keys.ts';
import looks from '../../parts/looks.module.css';
import css from './help.module.css';

const groups = ['everywhere', 'screens', 'lists', 'forms', 'view'] as const;
/** Keys with a name of their own; others are shown as they are written. */
const named = [
  'mod',
  'Control',
  'Shift',
  'Alt',
  'Space',
  'Enter',
  'Escape',
  'Home',
  'End',
  'PageUp',
  'PageDown',
] as const;
const signs: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  plus: '+',
};
const macSigns: Readonly<Record<string, string>> = { mod: '⌘', Control: '⌃', Shift: '⇧', Alt: '⌥' };

/** All keyboard shortcuts of this system, in groups. */
export function ShortcutList() {
  const { t } = useTranslation();
  const isDesktop = useLive().info.host === 'desktop';
  const here = shortcuts.filter((shortcut) => isDesktop || !('isDesktopOnly' in shortcut));
  return groups
    .map((group) => ({ group, rows: here.filter((shortcut) => shortcut.group === group) }))
    .filter(({ rows }) => rows.length > 0)
    .map(({ group, rows }) => (
      <section key={group}>
        <h3>{t(`help.group.${group}`)}</h3>
        <dl className={css.keys}>
          {rows.map((shortcut) => (
            <div key={shortcut.id}>
              <dt>{t(isScreenShortcut(shortcut.id) ? `screens.${shortcut.id}` : `help.shortcut.${shortcut.id}`)}</dt>
              <dd className={looks.line}>
                <Keys keys={keysHere(shortcut.id)} />
              </dd>
            </div>
          ))}
        </dl>
      </section>
    ));
}

function Keys(props: { readonly keys: string }) {
  const { t } = useTranslation();
  const nameOf = (key: string) => {
    const known = named.find((name) => name === key);
    return (isMac ? macSigns[key] : undefined) ?? signs[key] ?? (known ? t(`help.key.${known}`) : key);
  };
  return combinationsOf(props.keys).map((combination) => (
    // Keys are read from left to right in every language.
    <span key={combination.join()} dir="ltr">
      {combination.map((key) => (
        <kbd key={key}>{nameOf(key)}</kbd>
      ))}
    </span>
  ));
}
