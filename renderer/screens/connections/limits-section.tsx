import { useTranslation } from 'react-i18next';
import { TextField, WholeNumberField } from '../../parts/field.tsx';
import { Card } from '../../parts/page.tsx';
import type { ConnectionDraft, SectionProps } from './connection-draft.ts';
import css from './connections.module.css';

const times = [
  { key: 'connectMs', label: 'connections.connectSeconds', max: 600 },
  { key: 'idleMs', label: 'connections.idleSeconds', max: 600 },
  { key: 'answerMs', label: 'connections.answerSeconds', max: 3600 },
] as const satisfies readonly { key: keyof ConnectionDraft['timeouts']; label: string; max: number }[];

const numbers = [
  { key: 'parallel', min: 1, max: 8, help: null },
  { key: 'doubtLimit', min: 1, max: 100, help: 'connections.doubtLimitHelp' },
  { key: 'maxItems', min: -2147483648, max: 2147483647, help: null },
] as const;

/** Time-outs, parallel uploads, and settings for lists of addresses. */
export function LimitsSection(props: SectionProps) {
  const { draft, set, errorAt, lockedAt } = props;
  const { t } = useTranslation();
  return (
    <Card title={t('connections.sectionLimits')}>
      <div className={css.thirds}>
        {times.map((time) => (
          <WholeNumberField
            key={time.key}
            label={t(time.label)}
            locked={lockedAt('timeouts')}
            value={Math.round(draft.timeouts[time.key] / 1000)}
            min={1}
            max={time.max}
            onChange={(seconds) => set({ timeouts: { ...draft.timeouts, [time.key]: seconds * 1000 } })}
            error={errorAt(`timeouts.${time.key}`)}
          />
        ))}
        {numbers.map((number) => (
          <WholeNumberField
            key={number.key}
            label={t(`connections.${number.key}`)}
            locked={lockedAt(number.key)}
            value={draft[number.key]}
            min={number.min}
            max={number.max}
            onChange={(value) => set({ [number.key]: value })}
            {...(number.help ? { help: t(number.help) } : {})}
            error={errorAt(number.key)}
          />
        ))}
        <TextField
          label={t('connections.separator')}
          locked={lockedAt('separator')}
          value={draft.separator}
          onChange={(separator) => set({ separator })}
          help={t('connections.separatorHelp')}
          error={errorAt('separator')}
          maxLength={5}
        />
      </div>
      <TextField
        label={t('connections.ownerEmail')}
        type="email"
        locked={lockedAt('ownerEmail')}
        value={draft.ownerEmail}
        onChange={(ownerEmail) => set({ ownerEmail })}
        help={t('connections.ownerEmailHelp')}
        error={errorAt('ownerEmail')}
        maxLength={320}
      />
    </Card>
  );
}
