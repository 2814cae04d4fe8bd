import { useTranslation } from 'react-i18next';
import { Fold } from '../../parts/fold.tsx';
import type { AccessProps } from './access-fields.tsx';
import type { SectionProps } from './connection-draft.ts';
import css from './connections.module.css';
import { LimitsSection } from './limits-section.tsx';
import { NetworkSection } from './network-section.tsx';
import { ServiceSection } from './service-section.tsx';
import { ElementNamesSection, NamedNumbersSection } from './table-sections.tsx';

/** The settings that most people never touch. The practice connection has its own address, so that part is left out. */
export function MorePart(
  props: SectionProps & {
    readonly access: Omit<AccessProps, 'errorAt'>;
    readonly practice: boolean;
    readonly open: boolean;
    readonly onOpenChange: (open: boolean) => void;
  },
) {
  const { practice, open, onOpenChange, access, ...section } = props;
  const { t } = useTranslation();
  return (
    <Fold label={t('connections.more')} open={open} onOpenChange={onOpenChange}>
      <div className={css.sections}>
        <ServiceSection {...section} practice={practice} />
        {practice ? null : <ElementNamesSection {...section} />}
        <NamedNumbersSection {...section} which="creditTypes" />
        <NamedNumbersSection {...section} which="lists" />
        {practice ? null : <NetworkSection {...section} access={access} />}
        <LimitsSection {...section} />
      </div>
    </Fold>
  );
}
