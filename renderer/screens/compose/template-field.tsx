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
import type { KeptTemplate } from '../../../contract/templates.ts';
import { useOfferedTemplates, useTemplates } from '../../features/signature-queries.ts';
import { Button } from '../../parts/button.tsx';
import field from '../../parts/field.module.css';
import popup from '../../parts/popup.module.css';
import css from './compose.module.css';
import { TemplateLibrary } from './template-library.tsx';

interface FieldProps {
  readonly label: string;
  readonly use: Exclude<KeptTemplate['use'], 'both'>;
  readonly connection: Connection;
  readonly value: string;
  readonly onChange: (templateId: string) => void;
  readonly error?: string | undefined;
}

/** A template by its ID: typed, or chosen by name from the saved ones. */
export function TemplateField(props: FieldProps) {
  const { t } = useTranslation();
  const [managing, setManaging] = useState(false);
  return (
    <div className={css.fileBox}>
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
type Suggested = Pick<KeptTemplate, 'id' | 'templateId' | 'name' | 'note'>;

/** Saved templates for this use, then those that the service names. */
function useFitting(connectionId: string, use: FieldProps['use']): readonly Suggested[] {
  const saved = (useTemplates(connectionId).data ?? []).filter((one) => one.use === use || one.use === 'both');
  const offered = useOfferedTemplates(connectionId).data ?? [];
  const others = offered.filter(({ templateId }) => saved.every((one) => one.templateId !== templateId));
  return [...saved, ...others.map((one) => ({ ...one, id: `offered-${one.templateId}`, note: '' }))];
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
      <Label className={field.label}>{props.label}</Label>
      <div className={css.combo}>
        <Input className={`${field.input} ${css.comboInput}`} placeholder={t('compose.templatePlaceholder')} />
        <AriaButton className={css.comboButton ?? ''}>
          <ChevronDown aria-hidden="true" />
        </AriaButton>
      </div>
      <Text slot="description" className={field.help}>
        {known ? [known.name, known.note].filter(Boolean).join(' · ') : help}
      </Text>
      <FieldError className={field.error ?? ''}>{props.error}</FieldError>
      <Popover className={popup.popup ?? ''} offset={4}>
        <ListBox className={popup.list ?? ''}>
          {(one: Suggested) => (
            <ListBoxItem id={one.id} textValue={one.templateId} className={popup.item ?? ''}>
              <span className={popup.text}>{one.name}</span>
              <code>{one.templateId}</code>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}
