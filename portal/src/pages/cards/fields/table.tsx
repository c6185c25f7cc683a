import { AggregationField } from '../../../question/aggregation-field.tsx';
import { KeyFields } from '../../../question/key-fields.tsx';
import { propertySuggestions, useProperties } from '../../../question/known.ts';
import { EVENT_FIELDS } from '../../../question/words.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Combobox } from '../../../ui/combobox.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { aliasOf } from '../config.ts';
import { type MetricRow, newMetric } from '../state.ts';
import type { PartProps } from './context.ts';

const MAX_GROUP_KEYS = 3;
const MAX_METRICS = 20;

export function TablePart(props: PartProps) {
  const { members, agent, messages, onChange } = props;
  const { mode, sortBy, sortOrder, limit, groupBy, metrics, eventName } = members;
  const isRaw = mode === 'raw';
  const properties = propertySuggestions(useProperties(eventName, agent), { withFields: true });
  const aliases = metrics.length === 0 ? ['count'] : metrics.map(aliasOf);
  const sortable = isRaw ? properties : [...groupBy.filter(Boolean), ...aliases].map((value) => ({ value }));
  return (
    <>
      <SelectField
        label="Rows"
        value={mode}
        options={[
          { value: 'aggregate', label: 'A row for each group' },
          { value: 'raw', label: 'A row for each event' },
        ]}
        error={messages.at('config.mode')}
        onChoose={(chosen) => onChange({ mode: chosen, sortBy: '' })}
      />
      {isRaw ? (
        <ColumnsField {...props} known={properties.map(({ value }) => value)} />
      ) : (
        <>
          <KeyFields
            label="Group by"
            keys={groupBy}
            maximum={MAX_GROUP_KEYS}
            eventName={eventName}
            agent={agent}
            error={messages.at('config.groupBy')}
            onChange={(keys) => onChange({ groupBy: keys })}
          />
          <MetricRows {...props} />
        </>
      )}
      <div className="three">
        <Combobox
          label="Sort by"
          value={sortBy}
          suggestions={sortable}
          placeholder={isRaw ? 'Newest first' : 'First figure'}
          error={messages.at('config.sortBy')}
          onChange={(key) => onChange({ sortBy: key })}
        />
        <SelectField
          label="Order"
          value={sortOrder}
          options={[
            { value: '', label: 'Usual' },
            { value: 'desc', label: 'Largest first' },
            { value: 'asc', label: 'Smallest first' },
          ]}
          error={messages.at('config.sortOrder')}
          onChoose={(order) => onChange({ sortOrder: order })}
        />
        <TextField
          label="Rows to show"
          inputMode="numeric"
          placeholder="20"
          value={limit}
          error={messages.at('config.limit')}
          onChange={(event) => onChange({ limit: event.currentTarget.value })}
        />
      </div>
    </>
  );
}

function ColumnsField({ members, messages, onChange, known }: PartProps & { known: readonly string[] }) {
  const { columns } = members;
  const unknown = columns.filter((key) => !known.includes(key));
  const toggle = (key: string, isChosen: boolean) =>
    onChange({ columns: isChosen ? [...columns, key] : columns.filter((one) => one !== key) });
  const error = messages.at('config.columns');
  return (
    <fieldset className="rows">
      <legend>Columns</legend>
      <p className="field-help">
        {columns.length === 0
          ? 'All of them. Choose some to show them alone.'
          : `In this order: ${columns.join(', ')}.`}
      </p>
      {error && <p className="field-error">{error}</p>}
      <div className="checks">
        {[
          ...unknown,
          ...known.filter((key) => columns.includes(key) || !EVENT_FIELDS.includes(key)),
          ...known.filter((key) => !columns.includes(key) && EVENT_FIELDS.includes(key)),
        ].map((key) => (
          <label key={key} className="check">
            <input
              type="checkbox"
              checked={columns.includes(key)}
              onChange={(event) => toggle(key, event.currentTarget.checked)}
            />
            <span>{key}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function MetricRows({ members, agent, messages, onChange }: PartProps) {
  const { metrics, eventName } = members;
  const change = (row: MetricRow, changes: Partial<MetricRow>) =>
    onChange({ metrics: metrics.map((one) => (one === row ? { ...row, ...changes } : one)) });
  return (
    <fieldset className="rows">
      <legend>Figures</legend>
      {metrics.length === 0 && <p className="field-help">The number of events.</p>}
      {messages.at('config.metrics') && <p className="field-error">{messages.at('config.metrics')}</p>}
      {metrics.map((row, index) => {
        const path = `config.metrics[${index}]`;
        const name = `figure ${index + 1}`;
        return (
          <div key={row.id} className="metric-row">
            <AggregationField
              label={`What ${name} is`}
              aggregation={row.aggregation}
              propertyKey={row.propertyKey}
              eventName={eventName}
              agent={agent}
              errors={{
                aggregation: messages.at(`${path}.aggregation`),
                propertyKey: messages.at(`${path}.propertyKey`),
              }}
              onChange={(measure) => change(row, measure)}
            />
            <div className="filter-value">
              <TextField
                label={`Name of ${name}`}
                placeholder={aliasOf({ ...row, alias: '' })}
                value={row.alias}
                error={messages.at(`${path}.alias`)}
                onChange={(event) => change(row, { alias: event.currentTarget.value })}
              />
              <IconButton
                icon="close"
                label={`Remove ${name}`}
                onClick={() => onChange({ metrics: metrics.filter((one) => one !== row) })}
              />
            </div>
          </div>
        );
      })}
      <Button
        look="quiet"
        icon="add"
        disabled={metrics.length >= MAX_METRICS}
        onClick={() => onChange({ metrics: [...metrics, newMetric()] })}
      >
        Add figure
      </Button>
    </fieldset>
  );
}
