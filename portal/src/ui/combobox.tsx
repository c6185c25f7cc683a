import { Autocomplete as Base } from '@base-ui/react/autocomplete';
import type { ReactNode } from 'react';
import { Field } from './field.tsx';
import { popups } from './popups.ts';

/** Enough to choose from; typing finds the others. */
const MAX_SHOWN = 100;

export interface Suggestion {
  value: string;
  /** At its side: how often it occurs, for example. */
  aside?: string;
}

interface ComboboxProps {
  label: string;
  help?: ReactNode;
  error?: string | undefined;
  value: string;
  suggestions: readonly Suggestion[];
  placeholder?: string;
  disabled?: boolean | undefined;
  onChange(value: string): void;
  /** A suggestion was chosen, which `onChange` has been told, too. */
  onPick?(value: string): void;
}

/** A text field that suggests known values and takes others, too. */
export function Combobox(props: ComboboxProps) {
  const { label, help, error, value, suggestions, placeholder, disabled, onChange, onPick } = props;
  // Who has chosen one wants to see the others.
  const isChosen = suggestions.some((one) => one.value === value);
  const wanted = value.toLowerCase();
  const shown = isChosen ? suggestions : suggestions.filter((one) => one.value.toLowerCase().includes(wanted));
  return (
    <Field label={label} help={help} error={error}>
      {(described) => (
        <Base.Root
          items={suggestions}
          filteredItems={shown.slice(0, MAX_SHOWN)}
          itemToStringValue={(item: Suggestion) => item.value}
          value={value}
          onValueChange={(next, { reason }) => {
            onChange(next);
            if (reason === 'item-press') onPick?.(next);
          }}
          disabled={disabled ?? false}
          openOnInputClick
        >
          <Base.Input className="input" placeholder={placeholder} {...described} />
          <Base.Portal container={popups()}>
            <Base.Positioner className="positioner" align="start" sideOffset={4}>
              <Base.Popup className="popup">
                <Base.Empty>
                  <p className="muted small option">Nothing known has this name.</p>
                </Base.Empty>
                <Base.List>
                  {(item: Suggestion) => (
                    <Base.Item key={item.value} value={item} className="option">
                      {item.value}
                      {item.aside && <span className="aside">{item.aside}</span>}
                    </Base.Item>
                  )}
                </Base.List>
              </Base.Popup>
            </Base.Positioner>
          </Base.Portal>
        </Base.Root>
      )}
    </Field>
  );
}
