import type { ReactNode } from 'react';
import { t } from '../language/index.ts';
import { IconButton } from './button.tsx';
import { Combobox, type Suggestion } from './combobox.tsx';

interface NamesFieldProps {
  /** The label of the field at an index, from 0. */
  labelOf(index: number): string;
  help?: ReactNode;
  value: readonly string[];
  maximum: number;
  suggestions: readonly Suggestion[];
  placeholder?: string;
  error?: string | undefined;
  onChange(names: string[]): void;
}

/** A list of names, with an empty field for one more. */
export function NamesField(props: NamesFieldProps) {
  const { labelOf, help, value: names, maximum, suggestions, placeholder = '', error, onChange } = props;
  const shown = names.includes('') || names.length >= maximum ? names : [...names, ''];
  return (
    <div className="keys">
      {shown.map((name, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: names have no ids, and their fields hold no state of their own
        <div key={index} className="filter-value">
          <Combobox
            label={labelOf(index)}
            help={index === 0 && help}
            value={name}
            suggestions={suggestions}
            placeholder={placeholder}
            error={index === 0 ? error : undefined}
            onChange={(chosen) => onChange(shown.toSpliced(index, 1, chosen).filter((one, at) => one || at === index))}
          />
          {name !== '' && (
            <IconButton
              icon="close"
              label={t('Remove {name}', { name })}
              onClick={() => onChange(shown.filter((one, at) => one && at !== index))}
            />
          )}
        </div>
      ))}
    </div>
  );
}
