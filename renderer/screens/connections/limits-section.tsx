import { useTranslation } from 'react-i18next';
import { TextField, WholeNumberField } from '../../parts/field.tsx';
import { Card } from '../../parts/page.tsx';
import css from './connections.module.css';
import type { Draft, SectionProps } from './draft.ts';

const times = [
  { key: 'connectMs', label: 'connections.connectSeconds', max: 600 },
  { key: 'idleMs', label: 'connections.idleSeconds', max: 600 },
  { key: 'answerMs', label: 'connections.answerSeconds', max: 3600 },
] as const satisfies readonly { key: keyof Draft['timeouts']; label: string; max: number }[];

/** Time-outs, parallel uploads, and what belongs to lists of addresses. */
export function LimitsSection(props: SectionProps) {
  const { draft, set, errorAt } = props;
  const { t } = useTranslation();
  return (
    <Card title={t('connections.sectionLimits')}>
      <div className={css.thirds}>
        {times.map((time) => (
          <WholeNumberField
            key={time.key}
            label={t(time.label)}
            value={Math.round(draft.timeouts[time.key] / 1000)}
            min={1}
            max={time.max}
            onChange={(seconds) => set({ timeouts: { ...draft.timeouts, [time.key]: seconds * 1000 } })}
            error={errorAt(`timeouts.${time.key}`)}
          />
        ))}
        <WholeNumberField
          label={t('connections.parallel')}
          value={draft.parallel}
          min={1}
          max={8}
          onChange={(parallel) => set({ parallel })}
          error={errorAt('parallel')}
        />
        <WholeNumberField
          label={t('connections.doubtLimit')}
          value={draft.doubtLimit}
          min={1}
          max={100}
          onChange={(doubtLimit) => set({ doubtLimit })}
          help={t('connections.doubtLimitHelp')}
          error={errorAt('doubtLimit')}
        />
        <WholeNumberField
          label={t('connections.maxItems')}
          value={draft.maxItems}
          min={-2147483648}
          max={2147483647}
          onChange={(maxItems) => set({ maxItems })}
          error={errorAt('maxItems')}
        />
        <TextField
          label={t('connections.separator')}
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
        value={draft.ownerEmail}
        onChange={(ownerEmail) => set({ ownerEmail })}
        help={t('connections.ownerEmailHelp')}
        error={errorAt('ownerEmail')}
        maxLength={320}
      />
    </Card>
  );
}
