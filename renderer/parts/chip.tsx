import {
  ArrowLeftRight,
  Check,
  CircleDashed,
  Clock,
  CloudOff,
  Equal,
  EqualNot,
  HelpCircle,
  Info,
  Minus,
  Pause,
  Pencil,
  Plus,
  SearchX,
  TriangleAlert,
  X,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { ToggleButton, ToggleButtonGroup, VisuallyHidden } from 'react-aria-components';
import css from './chip.module.css';
import looks from './looks.module.css';

export type Tone = 'confirmed' | 'remark' | 'refused' | 'unclear' | 'silent' | 'info';

const icons: Record<Tone, typeof Check> = {
  confirmed: Check,
  remark: TriangleAlert,
  refused: X,
  unclear: HelpCircle,
  silent: CloudOff,
  info: Info,
};

/** Icons for states that share a tone. */
export type ChipIcon =
  | 'clock'
  | 'dashed'
  | 'help'
  | 'plus'
  | 'pencil'
  | 'minus'
  | 'swap'
  | 'equal'
  | 'unequal'
  | 'not-found'
  | 'pause';
const ownIcons: Record<ChipIcon, typeof Check> = {
  clock: Clock,
  dashed: CircleDashed,
  help: HelpCircle,
  plus: Plus,
  pencil: Pencil,
  minus: Minus,
  swap: ArrowLeftRight,
  equal: Equal,
  unequal: EqualNot,
  'not-found': SearchX,
  pause: Pause,
};

export interface ChipTone {
  readonly tone: Tone;
  readonly icon?: ChipIcon;
}

function Picture(props: { readonly tone: Tone; readonly icon?: ChipIcon | undefined }) {
  const Icon = props.icon ? ownIcons[props.icon] : icons[props.tone];
  return <Icon aria-hidden="true" />;
}

/** A text with icon and colour. `isIconOnly`: a heading or a counter with the same icon says what it is, and the text is for screen readers and the tooltip. */
export function Chip(props: {
  readonly tone: Tone;
  readonly icon?: ChipIcon | undefined;
  readonly children: string;
  readonly title?: string;
  readonly isIconOnly?: boolean;
}) {
  const { children, isIconOnly = false } = props;
  return (
    <span
      data-chip=""
      className={`${css.chip} ${css[props.tone]} ${isIconOnly ? css.iconOnly : ''}`}
      title={props.title ?? (isIconOnly ? children : undefined)}
    >
      <Picture tone={props.tone} icon={props.icon} />
      {isIconOnly ? <VisuallyHidden elementType="span">{children}</VisuallyHidden> : <span>{children}</span>}
    </span>
  );
}

/** The icon of a chip alone, in its colour; the text is beside it. */
export function ToneIcon(props: ChipTone) {
  return (
    <span className={`${css.toneIcon} ${css[props.tone]}`}>
      <Picture tone={props.tone} icon={props.icon} />
    </span>
  );
}

/** The round icon at the start of a card. The heading beside it has the same meaning. */
export function Badge(props: { readonly tone: Tone; readonly icon?: ChipIcon | undefined }) {
  return (
    <span className={`${css.badge} ${css[props.tone]}`} aria-hidden="true">
      <Picture tone={props.tone} icon={props.icon} />
    </span>
  );
}

export interface Counter<K extends string> {
  readonly key: K;
  /** None: the counter has no icon and no colour. */
  readonly tone?: Tone;
  readonly icon?: ChipIcon | undefined;
  readonly text: string;
  /** How many it would show. */
  readonly count?: ReactNode;
}

/** Counters that filter: at most one is pressed. Pressing it again shows everything. */
export function Counters<K extends string>(props: {
  readonly label: string;
  readonly counters: readonly Counter<K>[];
  readonly selected: K | null;
  /** On several lines where one has no room, instead of one that scrolls. */
  readonly wraps?: boolean;
  readonly onSelect: (key: K | null) => void;
}) {
  return (
    <ToggleButtonGroup
      aria-label={props.label}
      className={(props.wraps ? looks.line : css.counters) ?? ''}
      selectionMode="single"
      selectedKeys={props.selected ? [props.selected] : []}
      onSelectionChange={(keys) => {
        const key = [...keys][0];
        props.onSelect(props.counters.find((counter) => counter.key === key)?.key ?? null);
      }}
    >
      {props.counters.map((counter) => (
        <ToggleButton
          key={counter.key}
          id={counter.key}
          className={`${css.chip} ${css.counter} ${css[counter.tone ?? 'plain']}`}
        >
          {counter.tone ? <Picture tone={counter.tone} icon={counter.icon} /> : null}
          <span>{counter.text}</span>
          {counter.count === undefined ? null : <strong>{counter.count}</strong>}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
