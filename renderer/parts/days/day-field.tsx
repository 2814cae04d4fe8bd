import { type CalendarDate, parseDate } from '@internationalized/date';
import { CalendarDays, ChevronLeft, ChevronRight } from 'lucide-react';
import {
  Button as AriaButton,
  Calendar,
  CalendarCell,
  CalendarGrid,
  DateInput,
  DatePicker,
  DateSegment,
  Dialog,
  Group,
  Heading,
  Label,
  Popover,
} from 'react-aria-components';
import field from '../field.module.css';
import looks from '../looks.module.css';
import popup from '../overlays/popup.module.css';
import css from './day-field.module.css';

const last = parseDate('9999-12-31');

/**
 * A day, typed or picked, in the order and digits of the window's language; null for none. `value` and what is reported are YYYY-MM-DD. Not the browser's own
 * date field: that follows the language of the system.
 */
export function DayField(props: {
  readonly label: string;
  readonly value: string | null;
  readonly onChange: (day: string | null) => void;
}) {
  return (
    <DatePicker<CalendarDate>
      className={field.field ?? ''}
      value={props.value === null ? null : parseDate(props.value)}
      onChange={(day) => props.onChange(day?.toString() ?? null)}
      maxValue={last}
      validationBehavior="aria"
    >
      <Label className={looks.label}>{props.label}</Label>
      <Group className={`${field.input} ${css.group}`}>
        <DateInput className={css.parts ?? ''}>
          {(segment) => <DateSegment segment={segment} className={css.part ?? ''} />}
        </DateInput>
        <AriaButton className={css.button ?? ''}>
          <CalendarDays aria-hidden="true" />
        </AriaButton>
      </Group>
      <Popover className={popup.popup ?? ''} placement="bottom end" offset={4}>
        <Dialog className={css.calendar ?? ''}>
          <Calendar>
            <header className={looks.row1}>
              <AriaButton slot="previous" className={css.button ?? ''}>
                <ChevronLeft aria-hidden="true" />
              </AriaButton>
              <Heading className={css.heading ?? ''} />
              <AriaButton slot="next" className={css.button ?? ''}>
                <ChevronRight aria-hidden="true" />
              </AriaButton>
            </header>
            <CalendarGrid className={css.days ?? ''}>
              {(day) => <CalendarCell date={day} className={css.day ?? ''} />}
            </CalendarGrid>
          </Calendar>
        </Dialog>
      </Popover>
    </DatePicker>
  );
}
