import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { TeamCheck, TeamPerson } from '../../../contract/team.ts';
import { isolated } from '../../../locales/isolate.ts';
import { Chip } from '../../parts/chip.tsx';
import { useFormat } from '../../parts/format.ts';
import css from './connections.module.css';

/** Differences of clocks below this are not worth a word. */
const clockOffMs = 5_000;

/** What a check found, in plain words. */
export function TeamFound({ found }: { readonly found: TeamCheck }) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  // Each by itself keeps its order in a list from right to left.
  const people = format.list(found.people.map((one) => isolated(personText(one), i18n.language)));
  return (
    <ul className={css.steps} aria-label={t('team.checkResult')}>
      {linesOf(t, found, people).map(({ text, isGood }) => (
        <li key={text} className={css.step}>
          <Chip tone={isGood ? 'confirmed' : 'remark'}>
            {t(isGood ? 'connections.result.passed' : 'team.found.attention')}
          </Chip>
          <p>{text}</p>
        </li>
      ))}
    </ul>
  );
}

interface Line {
  readonly text: string;
  readonly isGood: boolean;
}

function linesOf(t: TFunction, found: TeamCheck, people: string): readonly Line[] {
  const { role, canSend, isEncrypted, isDurable } = found;
  const seconds = Math.round(Math.abs(found.clockOffByMs) / 1000);
  return [
    { text: t('team.found.server', { server: `PostgreSQL ${found.serverVersion}` }), isGood: true },
    { text: t(`team.role.${role}`), isGood: role !== 'reader' },
    ...(canSend || role === 'reader' ? [] : [{ text: t('team.found.newer'), isGood: false }]),
    // Only an address of this computer is used without encryption.
    { text: t(isEncrypted ? 'team.found.encrypted' : 'team.found.notEncrypted'), isGood: true },
    { text: t(isDurable ? 'team.found.durable' : 'team.found.notDurable'), isGood: isDurable },
    ...(seconds * 1000 < clockOffMs ? [] : [{ text: t('team.found.clock', { count: seconds }), isGood: false }]),
    {
      text: people === '' ? t('team.found.nobody') : t('team.found.people', { people }),
      isGood: true,
    },
  ];
}

const personText = ({ person, computer }: TeamPerson) => `${person} (${computer})`;
