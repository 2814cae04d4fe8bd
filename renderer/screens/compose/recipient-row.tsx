import { ArrowDown, ArrowUp, GripVertical, X } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RecipientProblem } from '../../../contract/compose.ts';
import { PersonField } from '../../features/people/person-field.tsx';
import { IconButton } from '../../parts/button.tsx';
import field from '../../parts/field.module.css';
import looks from '../../parts/looks.module.css';
import css from './compose.module.css';

interface RowProps {
  readonly index: number;
  readonly count: number;
  readonly person: { readonly name: string; readonly email: string };
  readonly autoFocus: boolean;
  readonly problems: readonly RecipientProblem[];
  readonly onChange: (person: { name: string; email: string }) => void;
  readonly onMove: (to: number) => void;
  readonly onRemove: () => void;
  readonly onNext: () => void;
}

/** One signer: position (by dragging, or by Alt and an arrow key), name, address. */
export function RecipientRow(props: RowProps) {
  const { index } = props;
  const { t } = useTranslation();
  const who = t('compose.signer', { n: index + 1 });
  const drag = useDrag(index, props.onMove);

  function onKeyDown(event: KeyboardEvent) {
    if (isAfterAddress(event)) {
      event.preventDefault();
      return props.onNext();
    }
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    const to = index + (event.key === 'ArrowUp' ? -1 : 1);
    const at = [...event.currentTarget.querySelectorAll('input')].indexOf(event.target as HTMLInputElement);
    const rows = event.currentTarget.parentElement?.querySelectorAll<HTMLElement>('[data-recipient]');
    props.onMove(to);
    // The focus moves with the person.
    rows?.[to]?.querySelectorAll<HTMLElement>('input')[Math.max(0, at)]?.focus();
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a grid row
    <div
      role="group"
      aria-label={who}
      className={css.person}
      data-recipient={index}
      {...(drag.isDragged ? { 'data-dragged': '' } : {})}
      onKeyDown={onKeyDown}
    >
      <span className={css.order}>
        {props.count > 1 ? (
          <span className={css.grip} title={t('compose.dragHint')} {...drag.handle}>
            <GripVertical aria-hidden="true" />
          </span>
        ) : null}
        {index + 1}
      </span>
      <PersonFields {...props} who={who} />
      <RowActions {...props} who={who} />
    </div>
  );
}

/** Enter in the address, unless it chooses a suggestion or goes on to the review. */
function isAfterAddress(event: KeyboardEvent): boolean {
  const { target, key, defaultPrevented, ctrlKey, metaKey } = event;
  if (key !== 'Enter' || defaultPrevented || ctrlKey || metaKey) return false;
  return target instanceof HTMLInputElement && target.type === 'email' && target.value !== '';
}

function PersonFields(props: RowProps & { readonly who: string }) {
  const { person, who } = props;
  const { t } = useTranslation();
  const errorOf = (part: 'email' | 'name') => {
    const problem = props.problems.find((one) => one.part === part && one.severity === 'error');
    return problem ? t(`compose.problem.${problem.kind}`) : undefined;
  };
  const warnings = props.problems.filter((problem) => problem.severity === 'warning');
  return (
    <>
      <PersonField
        label={t('compose.nameOf', { who })}
        type="text"
        value={person.name}
        onChange={(name) => props.onChange({ ...person, name })}
        onPerson={(chosen) => props.onChange({ ...chosen, name: chosen.name || person.name })}
        autoFocus={props.autoFocus}
        error={errorOf('name')}
        maxLength={200}
      />
      <div className={looks.stack1}>
        <PersonField
          label={t('compose.emailOf', { who })}
          type="email"
          value={person.email}
          onChange={(email) => props.onChange({ ...person, email })}
          onPerson={(chosen) => props.onChange({ ...chosen, name: chosen.name || person.name })}
          error={errorOf('email')}
          maxLength={320}
        />
        {warnings.map((problem) => (
          <p key={problem.kind} className={field.warning}>
            {t(`compose.problem.${problem.kind}`)}
          </p>
        ))}
      </div>
    </>
  );
}

function RowActions(props: Pick<RowProps, 'index' | 'count' | 'onMove' | 'onRemove'> & { readonly who: string }) {
  const { index, who } = props;
  const { t } = useTranslation();
  return (
    <span className={css.personActions}>
      {props.count > 1 ? (
        <>
          <IconButton
            label={t('compose.moveUp', { who })}
            icon={<ArrowUp aria-hidden="true" />}
            isDisabled={index === 0}
            onPress={() => props.onMove(index - 1)}
          />
          <IconButton
            label={t('compose.moveDown', { who })}
            icon={<ArrowDown aria-hidden="true" />}
            isDisabled={index === props.count - 1}
            onPress={() => props.onMove(index + 1)}
          />
        </>
      ) : null}
      <IconButton label={t('compose.removeWho', { who })} icon={<X aria-hidden="true" />} onPress={props.onRemove} />
    </span>
  );
}

/** Dragging by pointer: the row is placed where the pointer is released. */
function useDrag(index: number, onMove: (to: number) => void) {
  const [isDragged, setDragged] = useState(false);
  const handle = {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      event.currentTarget.setPointerCapture(event.pointerId);
      setDragged(true);
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      setDragged(false);
      const under = document
        .elementsFromPoint(event.clientX, event.clientY)
        .map((element) => element.closest<HTMLElement>('[data-recipient]'))
        .find((row) => row !== null);
      if (under) onMove(Number(under.dataset.recipient ?? index));
    },
    onPointerCancel: () => setDragged(false),
  };
  return { isDragged, handle } as const;
}
