import type { ReactNode } from 'react';
import { IconButton } from '../ui/button.tsx';
import { PropertyField } from './property-field.tsx';

interface KeyFieldsProps {
  /** "Group by". Further fields are "Group by, then by"; if numbered, all are "Column 1" and so on. */
  label: string;
  isNumbered?: boolean;
  help?: ReactNode;
  keys: readonly string[];
  maximum: number;
  eventName: string;
  agent: string | undefined;
  error?: string | undefined;
  onChange(keys: string[]): void;
}

/** Property keys, with an empty field for one more. */
export function KeyFields(props: KeyFieldsProps) {
  const { label, isNumbered = false, help, keys, maximum, eventName, agent, error, onChange } = props;
  const hasBlank = keys.includes('');
  const shown = hasBlank || keys.length >= maximum ? keys : [...keys, ''];
  const labelOf = (index: number) => {
    if (isNumbered) return `${label} ${index + 1}`;
    return index === 0 ? label : `${label}, then by`;
  };
  return (
    <div className="keys">
      {shown.map((key, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: keys have no ids, and their fields hold no state of their own
        <div key={index} className="filter-value">
          <PropertyField
            label={labelOf(index)}
            help={index === 0 && help}
            value={key}
            eventName={eventName}
            agent={agent}
            withFields
            error={index === 0 ? error : undefined}
            onChange={(chosen) => onChange(shown.toSpliced(index, 1, chosen).filter((one, at) => one || at === index))}
          />
          {key !== '' && (
            <IconButton
              icon="close"
              label={`Remove ${key}`}
              onClick={() => onChange(shown.filter((one, at) => one && at !== index))}
            />
          )}
        </div>
      ))}
    </div>
  );
}
