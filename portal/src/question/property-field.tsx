import type { ReactNode } from 'react';
import { Combobox } from '../ui/combobox.tsx';
import { propertySuggestions, useProperties } from './known.ts';

interface PropertyFieldProps {
  label: string;
  help?: ReactNode;
  value: string;
  eventName: string;
  agent: string | undefined;
  numericFirst?: boolean;
  /** Also offers `threadId` and the other fields of every event. */
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
      placeholder="Choose a property"
      error={error}
      onChange={onChange}
    />
  );
}
