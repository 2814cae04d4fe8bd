import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import {
  Button as AriaButton,
  ComboBox,
  FieldError,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Text,
} from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import type { Connection } from '../../../contract/connections.ts';
import type { TemplateContent } from '../../../contract/forms.ts';
import { fieldsOf, type KnownTemplate, useKnownTemplates } from '../../features/forms/stored-forms.ts';
import { useOfferedTemplates } from '../../features/signature-queries.ts';
import { SharedBy } from '../../features/team/sharing-parts.tsx';
import { Button } from '../../parts/button.tsx';
import field from '../../parts/field.module.css';
import looks from '../../parts/looks.module.css';
import popup from '../../parts/overlays/popup.module.css';
import css from './compose.module.css';
import { TemplateLibrary } from './template-library.tsx';

interface FieldProps {
  readonly label: string;
  readonly use: Exclude<TemplateContent['use'], 'both'>;
  readonly connection: Connection;
  readonly value: string;
  readonly onChange: (templateId: string) => void;
  readonly error?: string | undefined;
}

/** A template by its ID: typed, or chosen by name from those that are saved or that the team shares. */
export function TemplateField(props: FieldProps) {
  const { t } = useTranslation();
  const [managing, setManaging] = useState(false);
  return (
    <div className={looks.stack1}>
      <TemplateBox {...props} />
      <div>
        <Button kind="quiet" onPress={() => setManaging(true)}>
          {t('compose.templateLibrary')}
        </Button>
      </div>
      {managing ? (
        <TemplateLibrary connection={props.connection} typed={props.value} onClose={() => setManaging(false)} />
      ) : null}
    </div>
  );
}

/** A template to choose from. */
interface Suggested {
  readonly id: string;
  readonly templateId: string;
  readonly name: string;
  readonly note: string;
  readonly shared: KnownTemplate['shared'];
}

/** Saved and shared templates for this use, then those that the service names. */
function useFitting(connectionId: string, use: FieldProps['use']): readonly Suggested[] {
  const { templates } = useKnownTemplates(connectionId);
  const known = templates
    .map((one) => ({ ...one, ...fieldsOf(one) }))
    .filter((one) => one.use === use || one.use === 'both')
    .map(({ own, ...one }) => ({ ...one, id: own?.id ?? `shared-${one.templateId}` }));
  const offered = useOfferedTemplates(connectionId).data ?? [];
  const others = offered.filter(({ templateId }) => known.every((one) => one.templateId !== templateId));
  return [...known, ...others.map((one) => ({ ...one, id: `offered-${one.templateId}`, note: '', shared: null }))];
}

function TemplateBox(props: FieldProps) {
  const { t } = useTranslation();
  const fitting = useFitting(props.connection.id, props.use);
  const known = fitting.find((one) => one.templateId === props.value.trim());
  const help = props.use === 'template' ? t('compose.templateHelp') : t('compose.elementsHelp');
  return (
    <ComboBox
      className={field.field ?? ''}
      allowsCustomValue
      menuTrigger="focus"
      inputValue={props.value}
      onInputChange={props.onChange}
      onSelectionChange={(key) => {
        const chosen = fitting.find((one) => one.id === key);
        if (chosen) props.onChange(chosen.templateId);
      }}
      selectedKey={null}
      // Not `items`: those are not filtered.
      defaultItems={fitting.map((one) => ({ ...one, text: one.templateId }))}
      defaultFilter={(text, typed) => {
        // Nothing is left to choose once a whole ID is typed: the list closes.
        if (fitting.some(({ templateId }) => templateId === typed.trim())) return false;
        const part = typed.toLowerCase();
        const { name = '' } = fitting.find(({ templateId }) => templateId === text) ?? {};
        return text.toLowerCase().includes(part) || name.toLowerCase().includes(part);
      }}
      isInvalid={props.error !== undefined}
      validationBehavior="aria"
    >
      <Label className={looks.label}>{props.label}</Label>
      <div className={looks.anchor}>
        <Input className={`${field.input} ${css.comboInput}`} placeholder={t('compose.templatePlaceholder')} />
        <AriaButton className={css.comboButton ?? ''}>
          <ChevronDown aria-hidden="true" />
        </AriaButton>
      </div>
      <Text slot="description" className={looks.aside}>
        {known ? [known.name, known.note].filter(Boolean).join(' · ') : help}
        <SharedBy item={known?.shared ?? null} />
      </Text>
      <FieldError className={field.error ?? ''}>{props.error}</FieldError>
      <Popover className={popup.popup ?? ''} offset={4}>
        <ListBox>
          {(one: Suggested) => (
            <ListBoxItem id={one.id} textValue={one.templateId} className={popup.item ?? ''}>
              <span className={looks.grow}>
                {one.name}
                <SharedBy item={one.shared} />
              </span>
              <code>{one.templateId}</code>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}
