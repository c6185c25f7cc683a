import type { ReactNode } from 'react';
import { IconButton } from '../ui/button.tsx';
import { PropertyField } from './property-field.tsx';

interface KeyFieldsProps {
  /** "Group by" */
  labelOf(index: number): string;
  help?: ReactNode;
  keys: readonly string[];
  maximum: number;
  eventName: string;
  agent: string | undefined;
  error?: string | undefined;
  onChange(keys: string[]): void;
}

/** Property keys, with an empty field for one more. */
export function KeyFields({ labelOf, help, keys, maximum, eventName, agent, error, onChange }: KeyFieldsProps) {
  const hasBlank = keys.includes('');
  const shown = hasBlank || keys.length >= maximum ? keys : [...keys, ''];
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
