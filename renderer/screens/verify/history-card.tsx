import type { ReactNode } from 'react';
import { Badge, type ChipIcon, type Tone } from '../../parts/chip.tsx';
import looks from '../../parts/looks.module.css';
import page from '../../parts/page.module.css';
import css from './verify.module.css';

/** One answer: its source, the answer, its facts. */
export function HistoryCard(props: {
  readonly whose: string;
  readonly tone: Tone;
  readonly icon?: ChipIcon | undefined;
  readonly answer: string;
  readonly children: ReactNode;
}) {
  return (
    <section className={`${page.card} ${looks.small}`} aria-label={props.whose}>
      <h2>{props.whose}</h2>
      <p className={css.historyAnswer}>
        <Badge tone={props.tone} icon={props.icon} />
        <strong className={looks.wrapped}>{props.answer}</strong>
      </p>
      {props.children}
    </section>
  );
}
