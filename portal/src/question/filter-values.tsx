import { IconButton } from '../ui/button.tsx';
import { Combobox, type Suggestion } from '../ui/combobox.tsx';
import { SelectField } from '../ui/field.tsx';
import { type FilterRow, type FilterValue, kindsOf, typedValue } from './filters.ts';
import { useValues } from './known.ts';
import { EVENT_FIELDS, takesList, takesNoValue } from './words.ts';

const KINDS = [
  { value: 'text', label: 'as text' },
  { value: 'number', label: 'as a number' },
  { value: 'boolean', label: 'as yes or no' },
] as const;

interface FilterValuesProps {
  /** "filter 2" */
  name: string;
  row: FilterRow;
  /** The property's type: `number`, `string|number`; undefined if it is unknown. */
  type: string | undefined;
  eventName: string;
  agent: string | undefined;
  error?: string | undefined;
  onChange(values: FilterValue[]): void;
}

/** The field of a filter's value; for operators with a list, one field per value and an empty one. */
export function FilterValues({ name, row, type, eventName, agent, error, onChange }: FilterValuesProps) {
  const suggestions = useValues(eventName, row.propertyKey, agent);
  if (takesNoValue(row.operator)) return null;
  const isList = takesList(row.operator);
  const known = type ?? (EVENT_FIELDS.includes(row.propertyKey) ? 'string' : undefined);
  const shown = isList ? [...row.values, undefined] : [row.values[0]];
  return (
    <div className="filter-values">
      {shown.map((value, index) => (
        <Value
          // biome-ignore lint/suspicious/noArrayIndexKey: values have no ids, and hold no state of their own
          key={index}
          label={isList ? `Value ${index + 1} of ${name}` : `Value of ${name}`}
          value={value}
          type={known}
          suggestions={suggestions}
          placeholder={isList && index > 0 ? 'Another value' : 'Value'}
          error={index === 0 ? error : undefined}
          onChange={(changed) => onChange(isList ? row.values.toSpliced(index, 1, changed) : [changed])}
          {...(isList && value !== undefined && { onRemove: () => onChange(row.values.toSpliced(index, 1)) })}
        />
      ))}
    </div>
  );
}

interface ValueProps {
  label: string;
  value: FilterValue | undefined;
  type: string | undefined;
  suggestions: Suggestion[];
  placeholder: string;
  error: string | undefined;
  onChange(value: FilterValue): void;
  onRemove?(): void;
}

function Value({ label, value, type, suggestions, placeholder, error, onChange, onRemove }: ValueProps) {
  const kinds = kindsOf(value?.text ?? '', type);
  return (
    <div className="filter-value">
      <Combobox
        label={label}
        value={value?.text ?? ''}
        suggestions={suggestions}
        placeholder={placeholder}
        error={error}
        onChange={(text) => onChange(typedValue(text, type))}
      />
      {value && value.kind !== 'blank' && kinds.length > 1 && (
        <SelectField
          label={`Meaning of ${label.toLowerCase()}`}
          value={value.kind}
          options={KINDS.filter((kind) => kinds.includes(kind.value) || kind.value === value.kind)}
          onChoose={(kind) => onChange({ ...value, kind })}
        />
      )}
      {onRemove && <IconButton icon="close" label={`Remove ${label.toLowerCase()}`} onClick={onRemove} />}
    </div>
  );
}
