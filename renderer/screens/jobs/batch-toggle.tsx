import { ChevronRight } from 'lucide-react';
import { Button as PlainButton } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import css from './jobs.module.css';

/** Shows the jobs below the heading of a batch, or hides them. `title` is the batch's. */
export function BatchToggle(props: {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}) {
  const { title, isOpen } = props;
  const { t } = useTranslation();
  return (
    <PlainButton
      className={css.toggle ?? ''}
      aria-expanded={isOpen}
      aria-label={t(isOpen ? 'jobs.hideJobs' : 'jobs.showJobs', { title })}
      onPress={props.onToggle}
    >
      <ChevronRight aria-hidden="true" />
    </PlainButton>
  );
}
