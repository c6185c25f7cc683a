import type { ReactNode } from 'react';
import { useHasNoEvents, useKnownEvents, useProperties } from '../../api/events.ts';
import { useKnownSegments } from '../../api/segments.ts';
import { t } from '../../language/index.ts';
import { Combobox } from '../../ui/combobox.tsx';
import { SelectField } from '../../ui/field.tsx';
import { NamesField } from '../../ui/names-field.tsx';
import { eventSuggestions, propertySuggestions, segmentOptions } from '../words/choices.ts';

interface EventFieldProps {
  label?: string;
  value: string;
  /** Undefined for the events of all agents. */
  agent: string | undefined;
  error?: string | undefined;
  onChange(eventName: string): void;
}

export function EventField({ label = t('Event'), value, agent, error, onChange }: EventFieldProps) {
  const hasNone = useHasNoEvents(agent);
  const suggestions = eventSuggestions(useKnownEvents(agent));
  return (
    <Combobox
      label={label}
      value={value}
      suggestions={suggestions}
      placeholder={t('Choose an event')}
      help={
        hasNone &&
        (agent === undefined ? t('No events of any agent yet.') : t('No events of the agent “{agent}” yet.', { agent }))
      }
      error={error}
      onChange={onChange}
    />
  );
}

interface PropertyFieldProps {
  label: string;
  help?: ReactNode;
  value: string;
  eventName: string;
  agent: string | undefined;
  numericFirst?: boolean;
  /** Whether to offer `threadId` and the other fields of every event as well. */
  withFields?: boolean;
  error?: string | undefined;
  onChange(propertyKey: string): void;
}

export function PropertyField(props: PropertyFieldProps) {
  const { label, help, value, eventName, agent, numericFirst, withFields, error, onChange } = props;
  const properties = useProperties(eventName, agent);
  return (
    <Combobox
      label={label}
      help={help}
      value={value}
      suggestions={propertySuggestions(properties, { numericFirst: !!numericFirst, withFields: !!withFields })}
      placeholder={t('Choose a property')}
      error={error}
      onChange={onChange}
    />
  );
}

interface KeyFieldsProps {
  /** "Group by". Further fields are "Group by, then by"; if numbered, all are "Column 1" and so on. */
  label: string;
  isNumbered?: boolean;
  help?: ReactNode;
  value: readonly string[];
  maximum: number;
  eventName: string;
  agent: string | undefined;
  error?: string | undefined;
  onChange(keys: string[]): void;
}

/** Property keys, with an empty field for one more. */
export function KeyFields(props: KeyFieldsProps) {
  const { label, isNumbered = false, eventName, agent, ...rest } = props;
  const labelOf = (index: number) => {
    if (isNumbered) return `${label} ${index + 1}`;
    return index === 0 ? label : t('{label}, then by', { label });
  };
  const suggestions = propertySuggestions(useProperties(eventName, agent), { withFields: true });
  return <NamesField labelOf={labelOf} suggestions={suggestions} placeholder={t('Choose a property')} {...rest} />;
}

interface SegmentFieldProps {
  /** The name of a segment; empty: all events. */
  value: string;
  error?: string | undefined;
  onChange(name: string): void;
}

/** The choice of whose events count, for users who may read segments; not shown while there is nothing to choose. */
export function SegmentField({ value, error, onChange }: SegmentFieldProps) {
  const known = useKnownSegments();
  if (known === undefined || (known.length === 0 && value === '')) return null;
  const options = segmentOptions(known, value);
  return <SelectField label={t('Segment')} value={value} options={options} error={error} onChoose={onChange} />;
}
