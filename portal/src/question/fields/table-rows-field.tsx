import type { FieldMessages } from '../../api/field-messages.ts';
import { t } from '../../language/index.ts';
import { bind } from '../../ui/bind.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { aliasOf, MAX_METRICS, type MetricRow, newMetric, type TableRows } from '../state/table-rows.ts';
import { AggregationField } from './aggregation-field.tsx';
import { KeyFields } from './known-fields.tsx';

/** The API's limits for a table. */
const MAX_COLUMNS = 100;
const MAX_GROUP_KEYS = 3;

interface TableRowsFieldProps {
  rows: TableRows;
  eventName: string;
  agent: string | undefined;
  messages: FieldMessages;
  /** The path of a message begins with it: "config." in a card. */
  path: string;
  onMode(mode: TableRows['mode']): void;
  onChange(members: Partial<TableRows>): void;
}

/** The fields of `mode`, and of `columns` or of `groupBy` and `metrics`. */
export function TableRowsField({ rows, eventName, agent, messages, path, onMode, onChange }: TableRowsFieldProps) {
  const { mode, columns } = rows;
  const field = bind({ form: rows, messages, onChange }, path);
  const of = { eventName, agent };
  return (
    <>
      <SelectField
        label={t('Rows')}
        value={mode}
        options={[
          { value: 'aggregate', label: t('A row for each group') },
          { value: 'raw', label: t('A row for each event') },
        ]}
        error={messages.at(`${path}mode`)}
        onChoose={onMode}
      />
      {mode === 'raw' ? (
        <KeyFields
          label={t('Column')}
          isNumbered
          help={columns.length === 0 && t('All columns, unless you choose some.')}
          maximum={MAX_COLUMNS}
          {...of}
          {...field.value('columns')}
        />
      ) : (
        <>
          <KeyFields label={t('Group by')} maximum={MAX_GROUP_KEYS} {...of} {...field.value('groupBy')} />
          <MetricRows {...of} {...field.part('metrics')} />
        </>
      )}
    </>
  );
}

interface MetricRowsProps {
  value: readonly MetricRow[];
  eventName: string;
  agent: string | undefined;
  messages: FieldMessages;
  /** Precedes the metrics in the paths of messages: "config.". */
  path: string;
  onChange(rows: MetricRow[]): void;
}

/** The metrics of each group, one column each. */
function MetricRows({ value: rows, eventName, agent, messages, path, onChange }: MetricRowsProps) {
  const error = messages.at(`${path}metrics`);
  return (
    <fieldset className="rows">
      <legend>{t('Metrics')}</legend>
      {rows.length === 0 && <p className="field-help">{t('The number of events.')}</p>}
      {error && <p className="field-error">{error}</p>}
      {rows.map((row, index) => {
        const change = (members: Partial<MetricRow>) => onChange(rows.with(index, { ...row, ...members }));
        const bound = { form: row, messages, onChange: change };
        const ofRow = `${path}metrics[${index}].`;
        const number = index + 1;
        return (
          <div key={row.id} className="metric-row">
            <AggregationField
              label={t('What metric {number} is', { number })}
              aggregation={row.aggregation}
              propertyKey={row.propertyKey}
              eventName={eventName}
              agent={agent}
              messages={messages}
              path={ofRow}
              onChange={change}
            />
            <div className="filter-value">
              <TextField
                label={t('Name of metric {number}', { number })}
                placeholder={aliasOf({ ...row, alias: '' })}
                {...bind(bound, ofRow).text('alias')}
              />
              <IconButton
                icon="close"
                label={t('Remove metric {number}', { number })}
                onClick={() => onChange(rows.toSpliced(index, 1))}
              />
            </div>
          </div>
        );
      })}
      {rows.length < MAX_METRICS && (
        <Button look="quiet" icon="add" onClick={() => onChange([...rows, newMetric()])}>
          {t('Add metric')}
        </Button>
      )}
    </fieldset>
  );
}
