import { Button, IconButton } from '../ui/button.tsx';
import { SelectField } from '../ui/field.tsx';
import { FilterValues } from './filter-values.tsx';
import { type FilterRow, newFilter, placeOf } from './filters.ts';
import { useProperties } from './known.ts';
import { type FieldMessages, NO_MESSAGES } from './messages.ts';
import { PropertyField } from './property-field.tsx';
import { OPERATORS, takesList } from './words.ts';

interface FilterRowsProps {
  /** The subject of the filters, for screen readers: "step 2", for example. */
  of?: string;
  rows: readonly FilterRow[];
  eventName: string;
  agent: string | undefined;
  messages?: FieldMessages;
  /** The path of the filters in the request: `config.filters`. */
  path?: string;
  onChange(rows: FilterRow[]): void;
}

export function FilterRows(props: FilterRowsProps) {
  const { of, rows, eventName, agent, messages = NO_MESSAGES, path = 'filters', onChange } = props;
  const suffix = of ? ` of ${of}` : '';
  const types = new Map(useProperties(eventName, agent).map(({ key, type }) => [key, type]));
  const change = (row: FilterRow, members: Partial<FilterRow>) =>
    onChange(rows.map((one) => (one === row ? { ...row, ...members } : one)));

  return (
    <fieldset className="rows" aria-label={`Filters${suffix}`}>
      {messages.at(path) && <p className="field-error">{messages.at(path)}</p>}
      {rows.map((row, index) => {
        const name = `filter ${index + 1}${suffix}`;
        const place = placeOf(rows, row);
        const errorAt = (member: string) => (place === null ? undefined : messages.at(`${path}[${place}].${member}`));
        return (
          <div key={row.id} className="filter-row">
            <PropertyField
              label={`Property of ${name}`}
              value={row.propertyKey}
              eventName={eventName}
              agent={agent}
              withFields
              error={errorAt('propertyKey')}
              onChange={(propertyKey) => change(row, { propertyKey })}
            />
            <SelectField
              label={`Condition of ${name}`}
              value={row.operator}
              options={OPERATORS}
              error={errorAt('operator')}
              onChoose={(operator) =>
                change(row, { operator, values: takesList(operator) ? row.values : row.values.slice(0, 1) })
              }
            />
            <IconButton
              icon="close"
              label={`Remove ${name}`}
              onClick={() => onChange(rows.filter((one) => one !== row))}
            />
            <FilterValues
              name={name}
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
        aria-label={`Add filter${suffix}`}
        onClick={() => onChange([...rows, newFilter()])}
      >
        Add filter
      </Button>
    </fieldset>
  );
}
