import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { TeamCheck, TeamPerson } from '../../../contract/team.ts';
import { Chip } from '../../parts/chip.tsx';
import { useFormat } from '../../parts/format.ts';
import css from './connections.module.css';

/** Differences of clocks below this are not worth a word. */
const clockOffMs = 5_000;

/** What a check found, in plain words. */
export function TeamFound({ found }: { readonly found: TeamCheck }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <ul className={css.steps} aria-label={t('team.checkResult')}>
      {linesOf(t, format.list, found).map(({ text, isGood }) => (
        <li key={text} className={css.step}>
          <Chip tone={isGood ? 'confirmed' : 'remark'}>
            {t(isGood ? 'connections.result.passed' : 'connections.result.unclear')}
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

function linesOf(t: TFunction, list: (items: readonly string[]) => string, found: TeamCheck): readonly Line[] {
  const { role, canSend, isEncrypted, isDurable, people } = found;
  const seconds = Math.round(Math.abs(found.clockOffByMs) / 1000);
  const names = people.map(personText);
  return [
    { text: t('team.found.server', { version: found.serverVersion }), isGood: true },
    { text: t(`team.role.${role}`), isGood: role !== 'reader' },
    ...(canSend || role === 'reader' ? [] : [{ text: t('team.found.newer'), isGood: false }]),
    { text: t(isEncrypted ? 'team.found.encrypted' : 'team.found.notEncrypted'), isGood: isEncrypted },
    { text: t(isDurable ? 'team.found.durable' : 'team.found.notDurable'), isGood: isDurable },
    ...(seconds * 1000 < clockOffMs ? [] : [{ text: t('team.found.clock', { count: seconds }), isGood: false }]),
    {
      text: names.length > 0 ? t('team.found.people', { people: list(names) }) : t('team.found.nobody'),
      isGood: true,
    },
  ];
}

const personText = ({ person, computer }: TeamPerson) => `${person} (${computer})`;
