import type { ReactNode } from 'react';
import { Badge, type ChipIcon, type Tone } from '../../parts/chip.tsx';
import css from './verify.module.css';

/** One of the three answers: its source, the question, the answer. */
export function HistoryCard(props: {
  readonly whose: string;
  readonly question: string;
  readonly tone: Tone;
  readonly icon?: ChipIcon | undefined;
  readonly answer: string;
  readonly children: ReactNode;
}) {
  return (
    <section className={css.historyCard} aria-label={props.whose}>
      <header>
        <h2>{props.whose}</h2>
        <p className={css.hint}>{props.question}</p>
      </header>
      <p className={css.historyAnswer}>
        <Badge tone={props.tone} icon={props.icon} />
        <strong>{props.answer}</strong>
      </p>
      {props.children}
    </section>
  );
}
