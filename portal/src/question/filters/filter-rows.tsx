import { useProperties, useValues } from '../../api/events.ts';
import type { FieldMessages } from '../../api/field-messages.ts';
import { t } from '../../language/index.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Combobox, type Suggestion } from '../../ui/combobox.tsx';
import { SelectField } from '../../ui/field.tsx';
import { PropertyField } from '../fields/known-fields.tsx';
import { valueSuggestions } from '../words/choices.ts';
import { EVENT_FIELDS, OPERATORS, takesList, takesNoValue } from '../words/words.ts';
import { type FilterRow, type FilterValue, kindsOf, newFilter, placeOf, typedValue } from './filters.ts';

interface FilterRowsProps {
  /** Tells the filters of several subjects apart: "step 2". */
  of?: string | undefined;
  value: readonly FilterRow[];
  eventName: string;
  agent: string | undefined;
  messages: FieldMessages;
  /** Precedes the filters in the paths of messages: "config.". */
  path: string;
  onChange(rows: FilterRow[]): void;
}

export function FilterRows({ of, value: rows, eventName, agent, messages, onChange, ...rest }: FilterRowsProps) {
  const path = `${rest.path}filters`;
  const types = new Map(useProperties(eventName, agent).map(({ key, type }) => [key, type]));
  const change = (row: FilterRow, members: Partial<FilterRow>) =>
    onChange(rows.map((one) => (one === row ? { ...row, ...members } : one)));

  return (
    <fieldset className="rows" aria-label={of ? t('Filters of {part}', { part: of }) : t('Filters')}>
      {messages.at(path) && <p className="field-error">{messages.at(path)}</p>}
      {rows.map((row, index) => {
        const number = index + 1;
        const filter = of ? t('filter {number} of {part}', { number, part: of }) : t('filter {number}', { number });
        const place = placeOf(rows, row);
        const errorAt = (member: string) => (place === null ? undefined : messages.at(`${path}[${place}].${member}`));
        return (
          <div key={row.id} className="filter-row">
            <PropertyField
              label={t('Property of {filter}', { filter })}
              value={row.propertyKey}
              eventName={eventName}
              agent={agent}
              withFields
              error={errorAt('propertyKey')}
              onChange={(propertyKey) => change(row, { propertyKey })}
            />
            <SelectField
              label={t('Condition of {filter}', { filter })}
              value={row.operator}
              options={OPERATORS}
              error={errorAt('operator')}
              onChoose={(operator) =>
                change(row, { operator, values: takesList(operator) ? row.values : row.values.slice(0, 1) })
              }
            />
            <IconButton
              icon="close"
              label={t('Remove {name}', { name: filter })}
              onClick={() => onChange(rows.filter((one) => one !== row))}
            />
            <FilterValues
              name={filter}
              row={row}
              type={types.get(row.propertyKey)}
              eventName={eventName}
              agent={agent}
              error={errorAt('value')}
              onChange={(values) => change(row, { values })}
            />
          </div>
        );
      })}
      <Button
        look="quiet"
        icon="add"
        aria-label={of ? t('Add filter of {part}', { part: of }) : t('Add filter')}
        onClick={() => onChange([...rows, newFilter()])}
      >
        {t('Add filter')}
      </Button>
    </fieldset>
  );
}

const KINDS = [
  { value: 'text', label: t('as text') },
  { value: 'number', label: t('as a number') },
  { value: 'boolean', label: t('as yes or no') },
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
  const suggestions = valueSuggestions(useValues(eventName, row.propertyKey, agent));
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
          label={
            isList
              ? t('Value {number} of {filter}', { number: index + 1, filter: name })
              : t('Value of {filter}', { filter: name })
          }
          value={value}
          type={known}
          suggestions={suggestions}
          placeholder={isList && index > 0 ? t('Another value') : t('Value')}
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
  const name = label.toLowerCase();
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
          label={t('Meaning of {value}', { value: name })}
          value={value.kind}
          options={KINDS.filter((kind) => kinds.includes(kind.value) || kind.value === value.kind)}
          onChoose={(kind) => onChange({ ...value, kind })}
        />
      )}
      {onRemove && <IconButton icon="close" label={t('Remove {name}', { name })} onClick={onRemove} />}
    </div>
  );
}
