import { SelectField } from '../ui/field.tsx';
import { KeyFields } from './key-fields.tsx';
import type { FieldMessages } from './messages.ts';
import { MetricRows } from './metric-rows.tsx';
import type { TableRows } from './metrics.ts';

/** The API's limits for a table. */
const MAX_COLUMNS = 100;
const MAX_GROUP_KEYS = 3;

interface TableRowsFieldProps {
  rows: TableRows;
  eventName: string;
  agent: string | undefined;
  messages: FieldMessages;
  /** What precedes a member in the path of a message: "config." in a card. */
  path: string;
  onMode(mode: TableRows['mode']): void;
  onChange(members: Partial<TableRows>): void;
}

/** The fields of `mode`, and of `columns` or of `groupBy` and `metrics`. */
export function TableRowsField({ rows, eventName, agent, messages, path, onMode, onChange }: TableRowsFieldProps) {
  const { mode, columns, groupBy, metrics } = rows;
  const of = { eventName, agent };
  return (
    <>
      <SelectField
        label="Rows"
        value={mode}
        options={[
          { value: 'aggregate', label: 'A row for each group' },
          { value: 'raw', label: 'A row for each event' },
        ]}
        error={messages.at(`${path}mode`)}
        onChoose={onMode}
      />
      {mode === 'raw' ? (
        <KeyFields
          label="Column"
          isNumbered
          help={columns.length === 0 && 'All columns, unless you choose some.'}
          keys={columns}
          maximum={MAX_COLUMNS}
          {...of}
          error={messages.at(`${path}columns`)}
          onChange={(keys) => onChange({ columns: keys })}
        />
      ) : (
        <>
          <KeyFields
            label="Group by"
            keys={groupBy}
            maximum={MAX_GROUP_KEYS}
            {...of}
            error={messages.at(`${path}groupBy`)}
            onChange={(keys) => onChange({ groupBy: keys })}
          />
          <MetricRows
            rows={metrics}
            {...of}
            messages={messages}
            path={`${path}metrics`}
            onChange={(changed) => onChange({ metrics: changed })}
          />
        </>
      )}
    </>
  );
}
